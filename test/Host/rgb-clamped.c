// RUN: %host %s %t
// Channels that are written out, of an image that is clamped at its ends.
// CALL: blur(33, 40)
// CALL: blur(70, 1)
// CALL: blur(2, 19)
void blur(int w, int h, const float *in, const float *f, float *out) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float r = 0.0f, g = 0.0f, b = 0.0f;
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) {
          int yy = y + i < 0 ? 0 : y + i >= h ? h - 1 : y + i;
          int xx = x + j < 0 ? 0 : x + j >= w ? w - 1 : x + j;
          float k = f[(i + 1) * 3 + j + 1];
          r += in[(yy * w + xx) * 3 + 0] * k;
          g += in[(yy * w + xx) * 3 + 1] * k;
          b += in[(yy * w + xx) * 3 + 2] * k;
        }
      out[(y * w + x) * 3 + 0] = r;
      out[(y * w + x) * 3 + 1] = g;
      out[(y * w + x) * 3 + 2] = b;
    }
}
