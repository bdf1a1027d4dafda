// Products of 24 bits, as code for old devices has them.
// RUN: %convopt %s -emit=nest -function=flat 2>/dev/null | FileCheck %s
// RUN: %convopt %s -function=flat -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: not %convopt %s -function=wide -emit=nest 2>&1 | FileCheck --check-prefix=WIDE %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: thread i "blockIdx.x * blockDim.x + threadIdx.x by gridDim.x"
// CHECK: assume 8388607 - h >= 0 "a factor has 24 bits"
// CHECK: y[i] = x[{{.*}}] * 2
__global__ void flat(const float *x, float *y, int n, int w, int h) {
  for (int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    y[i] = x[i + __mul24(w, h)] * 2;
}

// WIDE: error: cannot show that a factor has 24 bits
__global__ void wide(const float *x, float *y, int n, int step) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i < n)
    y[i] = x[__mul24(i, step)];
}
