// Loops of their own fill the weights, in an array of the function; borders repeat.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
#include <math.h>
#define MAX_RADIUS 15

// CHECK: S3: sum += src[y][x + i] * kernel[i + radius]
int gaussian(const unsigned char *src, unsigned char *dst, int width,
             int height, int radius, float sigma) {
  float kernel[2 * MAX_RADIUS + 1], norm = 0;
  if (radius < 0 || radius > MAX_RADIUS)
    return 0;
  for (int i = -radius; i <= radius; i++) {
    kernel[i + radius] = expf(-(i * i) / (2 * sigma * sigma));
    norm += kernel[i + radius];
  }
  for (int i = 0; i < 2 * radius + 1; i++)
    kernel[i] /= norm;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0;
      for (int i = -radius; i <= radius; i++) {
        int at = x + i < 0 ? 0 : x + i;
        if (at >= width)
          at = width - 1;
        sum += src[y * width + at] * kernel[i + radius];
      }
      dst[y * width + x] = (unsigned char)(sum + 0.5f);
    }
  return 1;
}
