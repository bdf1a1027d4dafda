// Nothing says how many outputs there are: as many as threads are launched.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: :[[@LINE+21]]:{{[0-9]+}}: remark: how far 'i' goes is up to the launch alone: 'threads_x_3' is its gridDim.x * blockDim.x [launch]
// VERIFIED: verified: {{[0-9]+}} shapes
// RUN: FileCheck --check-prefix=DISPATCH %s < %t.cu
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s '-assume=n=100,threads_x_3=n' -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s

// CHECK: parameter n "int @"
// CHECK: argument threads_x_3 "int @" param from gridDim.x * blockDim.x
// CHECK: array out: int[threads_x_3] output
// CHECK: launch grid(threads_x_3 exact, 1, 1) block(1, 1, 1)
// CHECK: for i in 0 .. threads_x_3 {
// The caller takes the grid as the naive launch does, and threads that no int
// counts run the naive kernel.
// DISPATCH: {{^}}void smooth_tiled_dispatch(dim3 grid, dim3 block, size_t shared,
// DISPATCH: {{^ }}const int threads_x_3 = grid.x * block.x;
// DISPATCH: {{^ }}const bool covers = (long long)grid.x * block.x == threads_x_3;
// DISPATCH: {{^ }}smooth<<<grid, block, shared, stream>>>(in, out, n, threads_x);
__constant__ int taps[9];
#define threads_x_2 256

__global__ void smooth(const int *in, int *out, int n, int threads_x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = threads_x;
  for (int j = 0; j < 9; j++) {
    int at = i + j - 4;
    if (at >= 0 && at < n)
      sum += in[at] * taps[j];
  }
  out[i] = sum;
}
