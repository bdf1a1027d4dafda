// Refused: a bounds check that is no product of the extents.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+5]]:{{[0-9]+}}: error: 'y' has an extent that the bounds check does not give [thread-extent]
// CHECK: note: check the index against the product of all extents
__global__ void shift(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % 16;
  int y = i / 16;
  if (i < 1000)
    out[y * 16 + x] = in[y * 17 + x];
}
