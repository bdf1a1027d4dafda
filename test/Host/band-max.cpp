// RUN: %host %s %t
// Some rows of an image within its border: loops that start at the greatest of
// several sizes.
// CALL: band(41, 60, 5, 30)
// CALL: band(41, 60, 0, 41)
// CALL: band(41, 60, -3, 2)
// CALL: band(41, 60, 38, 50)
#include <algorithm>
void band(const float *src, float *dst, int h, int w, int y0, int y1) {
  for (int y = std::max(y0, 1); y < std::min(y1, h - 1); y++)
    for (int x = 1; x < w - 1; x++)
      dst[y * w + x] = src[(y - 1) * w + x] + src[y * w + x - 1] +
                       src[y * w + x + 1] + src[(y + 1) * w + x];
}
