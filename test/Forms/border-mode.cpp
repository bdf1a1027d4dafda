// An enumeration says what is beyond the border, to a helper with vectors.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: if -x - d - 1 >= 0 and 2 - mode == 0 {
// CHECK-NEXT: S1: s += in_data[y][0] * k[d + r]
// CHECK: S4: s += in_data[y][-x - d - 1] * k[d + r]
// CHECK: S5: s += in_data[y][-x - d] * k[d + r]
#include <vector>
enum Border { REFLECT, SYMMETRIC, REPLICATE };

static int border(int i, int n, Border mode) {
  if (mode == REPLICATE)
    return i < 0 ? 0 : i >= n ? n - 1 : i;
  if (i < 0)
    return mode == SYMMETRIC ? -i - 1 : -i;
  if (i < n)
    return i;
  return mode == SYMMETRIC ? 2 * n - 1 - i : 2 * n - 2 - i;
}

void blur(const std::vector<float> &in, std::vector<float> &out, int h, int w,
          const float *k, int r, Border mode) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float s = 0;
      for (int d = -r; d <= r; ++d)
        s += in[y * w + border(x + d, w, mode)] * k[d + r];
      out[y * w + x] = s;
    }
}
