// Refused: an index that stays where the loop of the threads goes on.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+8]]:{{[0-9]+}}: error: an index uses 'tid', which changes from iteration to iteration
__global__ void filter(const float *in, const float *w, float *out, int n,
                       int k) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int stride = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += stride) {
    float s = 0;
    for (int j = 0; j < k; j++)
      s += in[tid + j] * w[j];
    out[i] = s;
  }
}
