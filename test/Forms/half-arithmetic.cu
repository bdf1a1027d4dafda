// Intrinsics for 16-bit numbers, with a sum that is rounded once an addition.
// RUN: %convopt %s -function=fused -emit=nest | FileCheck --check-prefix=FUSED %s
// RUN: %convopt %s -function=apart -emit=nest | FileCheck --check-prefix=APART %s
// RUN: %convopt %s -function=fused -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=fused -tile=16,2 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=apart -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=apart -tile=16,2 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <cuda_fp16.h>

// FUSED: S1: acc __hfma= x[c][p + i][q + j] * w[c][i][j]
__global__ void fused(const half *x, const half *w, half *y, int C, int H,
                      int W) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  int p = blockIdx.y * blockDim.y + threadIdx.y;
  if (q < W - 2 && p < H - 2) {
    half acc = __float2half(0.0f);
    for (int c = 0; c < C; c++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          acc = __hfma(x[(c * H + p + i) * W + q + j], w[(c * 3 + i) * 3 + j],
                       acc);
    y[p * (W - 2) + q] = __hmax(acc, __float2half(0.0f));
  }
}

// APART: S1: acc += (x[c][p + i][q + j] * w[c][i][j])
// APART: S2: y[p][q] = ((acc > (__half)(0.0f)) ? (acc / b[0]) : (acc - b[0]))
__global__ void apart(const half *x, const half *w, const half *b, half *y,
                      int C, int H, int W) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  int p = blockIdx.y * blockDim.y + threadIdx.y;
  if (q < W - 2 && p < H - 2) {
    half acc = __float2half(0.0f);
    for (int c = 0; c < C; c++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          acc = __hadd(acc, __hmul(x[(c * H + p + i) * W + q + j],
                                   w[(c * 3 + i) * 3 + j]));
    half scale = b[0];
    y[p * (W - 2) + q] = __hgt(acc, __float2half(0.0f)) ? __hdiv(acc, scale)
                                                        : __hsub(acc, scale);
  }
}
