// A difference with borders that repeat, in a kernel with a device function.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
__device__ inline int clampTo(int v, int low, int high) {
  if (v < low)
    return low;
  if (v > high)
    return high;
  return v;
}

// CHECK: S{{[0-9]+}}: s += guarded({{.*}}, in[y][x + d], border) * w[d + r]
__global__ void derive(const float *in, const float *w, float *out, int rows,
                       int cols, int r) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) {
    float s = 0;
    for (int d = -r; d <= r; d++)
      s += in[y * cols + clampTo(x + d, 0, cols - 1)] * w[d + r];
    out[y * cols + x] = s;
  }
}
