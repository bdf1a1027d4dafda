// Constant memory of each element type.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
template <typename T> __constant__ T taps[16];
template <typename T> __device__ T bias;

// CHECK: argument taps "T *@" array from "::taps<T>" variable 16
// CHECK: argument bias "T @" scalar from "::bias<T>" in "::bias<T>" variable 1
// CHECK: array taps: T[k] input
// CHECK: assume 16 - k >= 0 "'taps' has 16 elements"
template <typename T>
__global__ void conv(const T *in, T *out, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T s = 0;
  for (int j = 0; j < k; ++j)
    s += in[i + j] * taps<T>[j];
  out[i] = s + bias<T>;
}

void run(const double *in, double *out, int n, int k) {
  conv<double><<<(n + 255) / 256, 256>>>(in, out, n, k);
}
