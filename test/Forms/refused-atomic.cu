// Refused: threads that add to the same elements, in any order.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+9]]:{{[0-9]+}}: error: several threads add to one element of 'out', in an order that nothing says
// CHECK: note: add up in the thread of the output, in a loop over 'c'
__global__ void conv(const float *in, const float *w, float *out, int C, int n,
                     int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || c >= C)
    return;
  for (int j = 0; j < k; j++)
    atomicAdd(&out[i], in[c * (n + k - 1) + i + j] * w[c * k + j]);
}
