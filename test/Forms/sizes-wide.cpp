// Sizes of size_t, a sum that braces start and a result that moves.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: sum += a[s][y + i][x + j] * b[i][j]
// CHECK: S2: c[s][y][x] = sum
#include <cstddef>
void im(const float *a, const float *b, float *c, size_t n, size_t h, size_t w, size_t kh, size_t kw) {
  for (size_t s = 0; s < n; ++s) {
    const float *img = a + s * h * w;
    float *res = c + s * (h - kh + 1) * (w - kw + 1);
    for (size_t y = 0; y + kh <= h; ++y)
      for (size_t x = 0; x + kw <= w; ++x) {
        float sum{};
        for (size_t i = 0; i < kh; ++i)
          for (size_t j = 0; j < kw; ++j)
            sum += img[(y + i) * w + (x + j)] * b[i * kw + j];
        *res++ = sum;
      }
  }
}
