// Refused: filters in constant memory of the source.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+10]]:{{[0-9]+}}: error: array 'taps' is in constant memory
// CHECK: note: pass it to the kernel as 'const float *taps'; convopt keeps small filters in constant memory itself
#define RADIUS 4
__constant__ float taps[2 * RADIUS + 1];

__global__ void rows(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
      sum += in[i + k + RADIUS] * taps[k + RADIUS];
    out[i] = sum;
  }
}
