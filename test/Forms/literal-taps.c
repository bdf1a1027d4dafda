// Taps that are written out, twice where they count twice, and a magnitude.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: gx = in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y][x - 1] - in[y + 1][x - 1]
// CHECK: S2: m = (int)(sqrtf((float)((gx * gx + gy * gy))))
#include <math.h>
#include <stdint.h>
#define P(dx, dy) in[(y + (dy)) * stride + x + (dx)]
void gradient(const uint8_t *in, uint8_t *out, int width, int height,
              int stride) {
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      int gx = P(1, -1) + 2 * P(1, 0) + P(1, 1) - P(-1, -1) - 2 * P(-1, 0) -
               P(-1, 1);
      int gy = P(-1, 1) + 2 * P(0, 1) + P(1, 1) - P(-1, -1) - 2 * P(0, -1) -
               P(1, -1);
      int m = (int)sqrtf((float)(gx * gx + gy * gy));
      out[y * stride + x] = m > 255 ? 255 : m;
    }
}
