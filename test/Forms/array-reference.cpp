// A filter by reference, and mirrored borders in a lambda.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument k "const float (&@)[5][5]" array
// CHECK: array k: float[5][5] input
#include <cstdint>
void blur(const uint16_t *src, uint16_t *dst, uint16_t width, uint16_t height, const float (&k)[5][5]) {
  auto at = [&](int y, int x) -> float {
    if (x < 0) x = -x;
    if (x >= width) x = 2 * width - 2 - x;
    if (y < 0) y = -y;
    if (y >= height) y = 2 * height - 2 - y;
    return src[y * width + x];
  };
  for (uint16_t y = 0; y < height; y++)
    for (uint16_t x = 0; x < width; x++) {
      float s = 0;
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
          s += k[i][j] * at(y + i - 2, x + j - 2);
      dst[y * width + x] = static_cast<uint16_t>(s);
    }
}
