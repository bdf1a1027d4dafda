// An output that is read unless it is scaled by 0, in a template that nothing launches.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: y[i] = (beta == (T)(0) ? 
template <typename T> __global__ void conv(const T *x, const T *w, T *y, int n, int m, T alpha, T beta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T s = 0;
  for (int j = 0; j < m; j++) s += x[i + j] * w[j];
  if (beta == T(0)) y[i] = alpha * s;
  else y[i] = alpha * s + beta * y[i];
}
template __global__ void conv<float>(const float *, const float *, float *, int, int, float, float);
