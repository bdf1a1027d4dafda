// Refused: threads that read what their neighbours write.
// RUN: %refuses 2 %s | FileCheck %s
// CHECK: [[@LINE+6]]:{{[0-9]+}}: error: loop 'j' cannot be mapped to grid.x
// CHECK: note: threads of the source read what others write, in no order: write to another array than 'a'
__global__ void smooth(float *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
    a[j * n + i] = (a[j * n + i - 1] + a[j * n + i + 1] + a[(j - 1) * n + i] +
                    a[(j + 1) * n + i]) /
                   4;
}
