// Borders that repeat the image, by a ternary and by min and max.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: array in: unsigned char[h][w] input border(clamp, clamp)
// CHECK: S1: s += guarded({{.*}}, in[y + dy][x + dx], border)
__global__ void box(const unsigned char *in, unsigned char *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int sx = x + dx < 0 ? 0 : (x + dx >= w ? w - 1 : x + dx);
      int sy = min(max(y + dy, 0), h - 1);
      s += in[sy * w + sx];
    }
  out[y * w + x] = s / 9;
}
