// RUN: %host %s %t
// The column pass.
// CALL: columns(60, 33, 4)
// CALL: columns(20, 64, 1)
void columns(const float *src, const float *k, float *dst, int h, int w,
             int radius) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int t = -radius; t <= radius; t++)
        if (y + t >= 0 && y + t < h)
          sum += src[(y + t) * w + x] * k[t + radius];
      dst[y * w + x] = sum;
    }
}
