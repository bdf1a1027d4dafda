// A window about its centre, by `while` loops that end at the border.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:16,y:4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for dy in -floordiv(k, 2) .. min(floordiv(k, 2) + 1, height - y) {
// CHECK: s += img[y + dy][x + dx] * filter[dy + floordiv(k, 2)][dx + floordiv(k, 2)]
void convolve(const float *img, const float *filter, float *out, int width,
              int height, int k) {
  int y = 0;
  while (y < height) {
    int x = 0;
    while (x < width) {
      float s = 0;
      for (int dy = -k / 2; dy <= k / 2; dy++) {
        if (y + dy >= height)
          break;
        if (y + dy < 0)
          continue;
        int dx = -k / 2;
        while (dx <= k / 2) {
          if (x + dx >= 0 && x + dx < width)
            s += img[(y + dy) * width + x + dx] *
                 filter[(dy + k / 2) * (k / 2 * 2 + 1) + dx + k / 2];
          dx++;
        }
      }
      out[y * width + x] = s;
      x++;
    }
    y++;
  }
}
