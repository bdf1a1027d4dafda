// RUN: %host %s %t
// Guards that leave out pixels: of the image, less is read than its extents
// say, and no copy of a box reads more.
// CALL: masked(40, 50, 3)
// CALL: masked(41, 51, 5)
// CALL: masked(42, 64, 7)
void masked(const float *in, const float *f, float *out, int h, int w, int k) {
  for (int y = 0; y < h - k + 1; ++y)
    for (int x = 0; x < w - k + 1; ++x) {
      if (x % 4 == 3 || 2 * x + y > w)
        continue;
      float s = 0;
      for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j)
          if (i % 2 == 0)
            s += in[(y + i) * w + x + j] * f[i * k + j];
      out[y * (w - k + 1) + x] = s;
    }
}
