// Threads that go on by the size of the grid, with `while`.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: for tid in 0 .. n {
// CHECK: S1: s += in[tid + j] * w[j]
__global__ void filter(const float *in, const float *w, float *out, int n,
                       int k) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  while (tid < n) {
    float s = 0;
    for (int j = 0; j < k; j++)
      s += in[tid + j] * w[j];
    out[tid] = s;
    tid += blockDim.x * gridDim.x;
  }
}
