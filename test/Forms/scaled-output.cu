// A sum that is scaled and added to what is there, unless that is scaled by 0.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: acc
// CHECK: beta != 0.f ?
#include <cuda_fp16.h>
struct ConvDesc { int n, c, h, w, k, r, s, oh, ow, stride_h, stride_w, pad_h, pad_w, dil_h, dil_w, groups; };
__device__ __forceinline__ float to_f(__half h) { return __half2float(h); }
__global__ void __launch_bounds__(256) grouped_conv_fp16(ConvDesc d, const __half *__restrict__ x, const __half *__restrict__ w, const __half *__restrict__ bias, __half *__restrict__ y, float alpha, float beta, int act) {
  const int ox = blockIdx.x * blockDim.x + threadIdx.x;
  const int oy = blockIdx.y * blockDim.y + threadIdx.y;
  const int nk = blockIdx.z;
  if (ox >= d.ow || oy >= d.oh) return;
  const int n = nk / d.k, k = nk % d.k;
  const int cpg = d.c / d.groups, kpg = d.k / d.groups;
  const int g = k / kpg;
  float acc = 0.f;
  for (int c = 0; c < cpg; ++c)
    for (int r = 0; r < d.r; ++r)
      for (int s = 0; s < d.s; ++s) {
        int iy = oy * d.stride_h - d.pad_h + r * d.dil_h;
        int ix = ox * d.stride_w - d.pad_w + s * d.dil_w;
        float v = (iy >= 0 && iy < d.h && ix >= 0 && ix < d.w) ? to_f(x[((n * d.c + g * cpg + c) * d.h + iy) * d.w + ix]) : 0.f;
        acc += v * to_f(w[((k * cpg + c) * d.r + r) * d.s + s]);
      }
  size_t o = ((size_t)(n * d.k + k) * d.oh + oy) * d.ow + ox;
  float res = alpha * acc;
  if (beta != 0.f) res += beta * __half2float(y[o]);
  if (bias != nullptr) res += __half2float(bias[k]);
  switch (act) {
  case 1: res = fmaxf(res, 0.f); break;
  case 2: res = 1.f / (1.f + expf(-res)); break;
  default: break;
  }
  y[o] = __float2half(res);
}
void launch(ConvDesc d, const __half *x, const __half *w, const __half *b, __half *y, cudaStream_t s) {
  dim3 t(16, 16);
  dim3 g((d.ow + t.x - 1) / t.x, (d.oh + t.y - 1) / t.y, d.n * d.k);
  grouped_conv_fp16<<<g, t, 0, s>>>(d, x, w, b, y, 1.f, 0.f, 1);
}
