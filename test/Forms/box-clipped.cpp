// The mean of what of a window is in the picture.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for yy in max(0, y - r) .. min(h, y + r + 1)
#include <algorithm>
void boxblur(const float *in, float *out, int w, int h, int r) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int y0 = std::max(0, y - r), y1 = std::min(h - 1, y + r);
      int x0 = std::max(0, x - r), x1 = std::min(w - 1, x + r);
      float s = 0;
      for (int yy = y0; yy <= y1; ++yy)
        for (int xx = x0; xx <= x1; ++xx)
          s += in[yy * w + xx];
      out[y * w + x] = s / ((y1 - y0 + 1) * (x1 - x0 + 1));
    }
}
