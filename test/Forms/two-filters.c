// One of two filters is used, and the other may be missing.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK:      if 1 - kind == 0 {
// CHECK-NEXT: S1: s += image[y + i][x + j] * sobel_x[i][j]
// CHECK:      S2: s += image[y + i][x + j] * sobel_y[i][j]
enum Kind { HORIZONTAL, VERTICAL = 1 };

void edges(const float *image, const float *sobel_x, const float *sobel_y,
           float *out, int h, int w, enum Kind kind) {
  for (int y = 0; y < h - 2; y++)
    for (int x = 0; x < w - 2; x++) {
      float s = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          if (kind == VERTICAL)
            s += image[(y + i) * w + x + j] * sobel_x[i * 3 + j];
          else
            s += image[(y + i) * w + x + j] * sobel_y[i * 3 + j];
        }
      out[y * (w - 2) + x] = s;
    }
}
