// Half precision whose padding is a value that a ternary chooses, with a bias.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: s = b[o]
// CHECK: in[c][y + i - 1][x + j - 1]
// CHECK: * w[o][c][i][j]
#include <cuda_fp16.h>
__global__ void conv(const half *in, const half *w, const half *b, half *out,
                     int C, int H, int W, int O) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z;
  if (x >= W || y >= H || o >= O)
    return;
  half s = b[o];
  for (int c = 0; c < C; c++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        int u = y + i - 1, v = x + j - 1;
        half value = u >= 0 && u < H && v >= 0 && v < W
                         ? in[(c * H + u) * W + v]
                         : __float2half(0.f);
        s = s + value * w[((o * C + c) * 3 + i) * 3 + j];
      }
  out[(o * H + y) * W + x] = s > __float2half(0.f) ? s : __float2half(0.f);
}
