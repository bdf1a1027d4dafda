// Refused: the threads of a warp share the taps of one output.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+8]]:{{[0-9]+}}: error: the threads do not share the iterations of loop 'j'
// CHECK-SAME: [thread-loop]
__global__ void dots(const float *in, const float *w, float *out, int n,
                     int k) {
  const int i = blockIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = threadIdx.x; j < k; j += 32)
    s += in[i + j] * w[j];
  for (int d = 16; d > 0; d /= 2)
    s += __shfl_down_sync(0xffffffff, s, d);
  if (threadIdx.x == 0)
    out[i] = s;
}
