// A gradient of integers, in a static array of the function.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: img[y + dy][x + dx]
#define IDX(y, x, w) ((y) * (w) + (x))
void sobel_x(float *restrict out, const float *restrict img, int w, int h) {
  static const int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float g = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          g += gx[dy + 1][dx + 1] * img[IDX(y + dy, x + dx, w)];
      out[IDX(y, x, w)] = g;
    }
}
