// RUN: not %convopt %s -o %t.cu 2>&1 | FileCheck %s
// RUN: not test -e %t.cu
// The extent that the first check gives the threads does not make the second
// impossible: its thread is the one that the first leaves out.
__global__ void shift(const float *in, float *out, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < h - 1)
    out[y] = in[y + 1];
  // CHECK: store-after-check.cu:[[@LINE+1]]:3: error: an array is written outside of the bounds check [write-unguarded]
  if (y == h - 1)
    out[y] = 1;
}
