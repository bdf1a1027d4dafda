// A kernel with a learned slope, read before it is used.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK: S2: v = (v < 0.f ? (float)(v * (slope[c])) : v)
__global__ void conv1d_prelu(const float *x, const float *w, const float *slope,
                             float *y, int C, int L, int K) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y;
  if (t >= L || c >= C)
    return;
  float v = 0.f;
  for (int k = max(0, K / 2 - t); k < min(K, L + K / 2 - t); ++k)
    v += x[c * L + t + k - K / 2] * w[c * K + k];
  float a = slope[c];
  if (v < 0.f)
    v *= a;
  y[c * L + t] = v;
}
