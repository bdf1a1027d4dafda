// Templates that a kernel template calls with its own types, under other names.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -reg=x:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: t = s
// CHECK: S2: t += in[x + j] * w[j]
// CHECK: out[x] = (T)((s > (T)(0) ? s : (T)(0)))
template <typename S> __device__ S relu(S x) { return x > S(0) ? x : S(0); }

template <typename A> __device__ A multiplyAdd(A a, A b, const A &c) {
  A t = a;
  t += b * c;
  return t;
}

template <typename T>
__global__ void conv(const T *in, const T *w, T *out, int W, int K) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= W)
    return;
  T s = 0;
  for (int j = 0; j < K; ++j)
    s = multiplyAdd(s, in[x + j], w[j]);
  out[x] = relu(s);
}
