// Narrow sizes in a kernel, with a window that ends where the image does.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for i in max(0, row - r) .. min({{.*}}) {
// CHECK: S1: sum += src[i][j]
typedef unsigned char byte;
__global__ void mean(const byte *src, byte *dst, const unsigned short rows,
                     const unsigned short cols, const byte r) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols)
    return;
  const int top = max(0, row - r), bottom = min(rows - 1, row + r);
  const int left = max(0, col - r), right = min(cols - 1, col + r);
  unsigned sum = 0;
  for (int i = top; i <= bottom; ++i)
    for (int j = left; j <= right; ++j)
      sum += src[i * cols + j];
  dst[row * cols + col] = sum / ((bottom - top + 1) * (right - left + 1));
}
