// An index of type size_t that is divided in place, by sizes of type int.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: out{{.*}} = in{{.*}}
__global__ void pool(const float *in, float *out, size_t total, int H, int W) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  int w = i % W;
  size_t t = i / W;
  int h = t % H;
  t /= H;
  int c = t;
  out[i] = in[(c * H + h) * (W + 1) + w] + in[(c * H + h) * (W + 1) + w + 1];
}
