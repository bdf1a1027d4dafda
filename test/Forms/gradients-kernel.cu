// A thread writes two gradients and their magnitude, and none at the border.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: if x - 1 >= 0 and y - 1 >= 0 {
// CHECK: S3: sx += v * gx[i + 1][j + 1]
// CHECK: S4: sy += v * gy[i + 1][j + 1]
// CHECK: S7: mag[y][x] = sqrtf(sx * sx + sy * sy)
__constant__ float gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
__constant__ float gy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};

__global__ void sobel(const unsigned char *img, float *dx, float *dy,
                      float *mag, int width, int height) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  float sx = 0, sy = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      const float v = img[(y + i) * width + x + j];
      sx += v * gx[i + 1][j + 1];
      sy += v * gy[i + 1][j + 1];
    }
  const int at = y * width + x;
  dx[at] = sx;
  dy[at] = sy;
  mag[at] = sqrtf(sx * sx + sy * sy);
}
