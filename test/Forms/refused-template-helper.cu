// A template that another one calls with a type in another place of its list.
// RUN: %refuses 1 %s 2>&1 | FileCheck %s
// CHECK: error: a call of 'half_of' may have side effects: which function that is depends on values or types
// CHECK: note: only the math functions of C and CUDA, and functions whose body is in the file, are looked into
template <typename A> __device__ A half_of(A a) { return a / 2; }

template <int K, typename T>
__global__ void conv(const T *in, const float *w, T *out, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= W)
    return;
  float s = 0;
  for (int j = 0; j < K; ++j)
    s += in[x + j] * w[j];
  T t = s;
  out[x] = half_of(t);
}
