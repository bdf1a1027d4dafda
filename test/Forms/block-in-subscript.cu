// Indices of blocks and threads that have no variables.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -shape=C=2,H=6,W=9,K=3,O=7 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: thread o "blockIdx.z in tiles of 2"
// CHECK: for o in 0 .. O {
// CHECK: w{{.*}}[o][c][i][j]
#define CHANNELS 2
__global__ void conv(const float *in, const float *w, float *out, int C, int H,
                     int W, int O, int K) {
  const int OH = H - K + 1, OW = W - K + 1;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= OW || blockIdx.y * blockDim.y + threadIdx.y >= OH)
    return;
  for (int k = 0; k < CHANNELS; ++k) {
    const int o = blockIdx.z * CHANNELS + k;
    if (o < O) {
      float s = 0;
      for (int c = 0; c < C; ++c)
        for (int i = 0; i < K; ++i)
          for (int j = 0; j < K; ++j)
            s += in[(c * H + blockIdx.y * blockDim.y + threadIdx.y + i) * W +
                    x + j] *
                 w[((o * C + c) * K + i) * K + j];
      out[(o * OH + blockIdx.y * blockDim.y + threadIdx.y) * OW + x] = s;
    }
  }
}
