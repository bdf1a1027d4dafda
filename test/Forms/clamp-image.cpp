// Borders that repeat the image, by std::clamp.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: acc += guarded({{.*}}, src[y + ky][x + kx], border) * kernel[ky + radius][kx + radius]
// CHECK: S2: dst
#include <algorithm>
void blur(const float *src, float *dst, const float *kernel, int width, int height, int radius) {
  const int size = 2 * radius + 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float acc = 0.0f;
      for (int ky = -radius; ky <= radius; ++ky) {
        const int sy = std::clamp(y + ky, 0, height - 1);
        for (int kx = -radius; kx <= radius; ++kx) {
          const int sx = std::clamp(x + kx, 0, width - 1);
          acc += src[sy * width + sx] * kernel[(ky + radius) * size + kx + radius];
        }
      }
      dst[y * width + x] = acc;
    }
}
