// bfloat16 that is added in float, channels last, by one index of all outputs.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: acc = guarded(has_bias - 1 >= 0, bias[index_mod], 0.f)
// CHECK: S1: acc fmaf= (float)(x[index_div_div + r - pad][index_div_mod + s - pad][c]) * (float)(w[r][s][c][index_mod])
#include <cuda_bf16.h>
__global__ void conv_nhwc(const __nv_bfloat16 *x, const __nv_bfloat16 *w,
                          const float *bias, __nv_bfloat16 *y, int H, int W,
                          int C, int O, int K, int pad) {
  const int OH = H + 2 * pad - K + 1, OW = W + 2 * pad - K + 1;
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= OH * OW * O)
    return;
  const int o = index % O;
  const int q = index / O % OW;
  const int p = index / O / OW;
  float acc = bias != nullptr ? bias[o] : 0.f;
  for (int r = 0; r < K; ++r)
    for (int s = 0; s < K; ++s) {
      const int h = p + r - pad, v = q + s - pad;
      if (h < 0 || h >= H || v < 0 || v >= W)
        continue;
      for (int c = 0; c < C; ++c)
        acc = fmaf(__bfloat162float(x[(h * W + v) * C + c]),
                   __bfloat162float(w[((r * K + s) * C + c) * O + o]), acc);
    }
  y[index] = __float2bfloat16(acc);
}
