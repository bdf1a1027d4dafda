// A kernel that a file instantiates for others to launch.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: FileCheck --check-prefix=TEXT --input-file=%t.cu %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: nest smooth_body
// CHECK: y[i] = x[i - 1] + x[i]
// TEXT: static __global__ void smooth_body{{[0-9]*}}(const float *x, float *y, int n) {
// TEXT-NEXT: using N = int;
// TEXT-NOT: template <>
// TEXT: template __global__ void smooth<int>(const float *, float *, int);
template <typename N>
__global__ void smooth(const float *x, float *y, N n) {
  N i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i > 0)
    y[i] = x[i - 1] + x[i];
}
template __global__ void smooth<int>(const float *, float *, int);
