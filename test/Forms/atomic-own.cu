// An atomic addition into an element that no other thread adds to.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S2: out[i] += a
__global__ void conv(const float *in, const float *w, float *out, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = 0;
    for (int j = 0; j < k; j++)
      a += in[i + j] * w[j];
    atomicAdd(&out[i], a);
  }
}
