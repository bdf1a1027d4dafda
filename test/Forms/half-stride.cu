// Half precision by its operators, in a loop that threads share.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for i_div in 0 .. rows {
// CHECK: S1: s += x[i_div][i_mod + j] * w[j]
#include <cuda_fp16.h>
#define GRID_LOOP(i, n)                                                        \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n);                 \
       i += blockDim.x * gridDim.x)

__global__ void lines(const half *__restrict__ x, const half *__restrict__ w,
                      half *__restrict__ y, int rows, int cols, int k,
                      float scale) {
  const int n = cols - k + 1;
  GRID_LOOP(i, rows * n) {
    const int row = i / n, col = i - row * n;
    half s = 0;
    for (int j = 0; j < k; ++j)
      s += x[row * cols + col + j] * w[j];
    y[i] = __float2half(__half2float(s) * scale);
  }
}
