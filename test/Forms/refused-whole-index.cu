// Refused: a row of a flat index is checked, and of the rest nothing has a name.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+5]]:{{[0-9]+}}: error: 'y' and 'tid' use the same index of the hardware [thread-index]
// CHECK: note: use parts of one index: x = i % W and y = i / W, checked by if (i < W * H)
__global__ void scale(const float *a, const float *row, float *b, int W,
                      int H) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int y = tid / W;
  if (y >= H)
    return;
  b[tid] = a[tid] * row[y];
}
