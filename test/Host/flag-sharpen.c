// RUN: %host %s %t
// The same in pixels, of which the middle one is read whatever the flag says.
// CALL: sharpen(60, 40, 64, 1)
// CALL: sharpen(33, 4, 33, 0)
// CALL: sharpen(3, 3, 7, 1)
#include <stdbool.h>
typedef unsigned char u8;
static inline u8 sat(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
void sharpen(const u8 *restrict in, u8 *restrict out, int w, int h, int stride,
             bool strong) {
  for (int y = 1; y < h - 1; ++y)
    for (int x = 1; x < w - 1; ++x) {
      int s = (strong ? 9 : 5) * in[y * stride + x];
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
          if ((i || j) && (strong || !i || !j))
            s -= in[(y + i) * stride + x + j];
      out[y * stride + x] = sat(s);
    }
}
