// Elements of 16 bits that helpers and __ldg read and write by their address,
// and a name of one.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <cuda_fp16.h>

__device__ float load(const __half *p, int i) { return __half2float(p[i]); }
__device__ float first(const __half *p) { return __half2float(*p); }
__device__ void store(__half *p, float v) { *p = __float2half(v); }

// CHECK: acc += (float)(x[c][y + i][col]) * (float)(w[c][i][0])
// CHECK: acc += (float)(x[c][y + i][col + 1]) * (float)(w[c][i][1])
// CHECK: out[y][col] = (__half)(acc)
// CHECK: out[y][col] += out[y][col]
__global__ void conv(const __half *x, const __half *w, __half *out, int C,
                     int H, int W) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= W - 1 || y >= H - 2)
    return;
  float acc = 0.0f;
  for (int c = 0; c < C; c++)
    for (int i = 0; i < 3; i++) {
      const __half *row = x + (c * H + y + i) * W + col;
      const __half *taps = w + (c * 3 + i) * 2;
      acc += load(x, (c * H + y + i) * W + col) * first(taps);
      acc += __half2float(__ldg(&row[1])) * __half2float(__ldg(taps + 1));
    }
  store(out + y * (W - 1) + col, acc);
  __half &o = out[y * (W - 1) + col];
  o = __hadd(o, o);
}
