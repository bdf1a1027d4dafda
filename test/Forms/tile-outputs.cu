// Threads that compute four channels each: the sums in an array of the thread.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -shape=C=2,H=6,W=9,O=9,K=3 -shape=C=1,H=9,W=40,O=8,K=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:16,y:4 -reg=y:2 -shape=C=2,H=9,W=21,O=7,K=3 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: launch grid(ceildiv(OW, 16), ceildiv(OH, 16), floordiv(O + 3, 4)) block(16, 16, 1)
// CHECK: for first_tile in 0 .. floordiv(O + 3, 4) {
// CHECK: if O - 4 * first_tile - [[K:k.*]] - 1 >= 0 {
// CHECK-NEXT: S{{[0-9]+}}: acc{{\[}}[[K]]] += in[c][y + i][x + j] * w[first_tile]{{\[}}[[K]]][c][i][j]
#define CHANNELS 4
__global__ void conv(const float *in, const float *w, float *out, int C, int H,
                     int W, int O, int K) {
  const int OH = H - K + 1, OW = W - K + 1;
  const int first = blockIdx.z * CHANNELS;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= OH || x >= OW)
    return;
  float acc[CHANNELS];
  for (int k = 0; k < CHANNELS; ++k)
    acc[k] = 0;
  for (int c = 0; c < C; ++c)
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < K; ++j) {
        const float v = in[(c * H + y + i) * W + x + j];
        for (int k = 0; k < CHANNELS; ++k)
          if (first + k < O)
            acc[k] += v * w[(((first + k) * C + c) * K + i) * K + j];
      }
  for (int k = 0; k < CHANNELS; ++k)
    if (first + k < O)
      out[((first + k) * OH + y) * OW + x] = acc[k];
}
