// Threads that compute two neighbours each; the last of a row may have none.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -shape=H=6,W=9,K=3 -shape=H=9,W=40,K=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:16,y:4 -reg=y:2 -shape=H=19,W=80,K=3 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: thread x "blockIdx.x * blockDim.x + threadIdx.x in tiles of 2"
// CHECK: for x in 0 .. OW {
// CHECK: s += in[y + i][x + j] * w[i][j]
// CHECK: out[y][x] = s
__global__ void conv(const float *in, const float *w, float *out, int H, int W,
                     int K) {
  const int OH = H - K + 1, OW = W - K + 1;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= OH)
    return;
  for (int k = 0; k < 2; ++k)
    if (x + k < OW) {
      float s = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          s += in[(y + i) * W + x + k + j] * w[i * K + j];
      out[y * OW + x + k] = s;
    }
}
