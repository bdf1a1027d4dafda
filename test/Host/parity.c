// RUN: %host %s %t
// Every other column of every third row: the last ones are read for some sizes.
// CALL: parity(40, 50, 3)
// CALL: parity(41, 51, 5)
// CALL: parity(42, 64, 7)
void parity(const float *in, const float *f, float *out, int h, int w, int k) {
  for (int y = 0; y < h - k + 1; ++y)
    for (int x = 0; x < w - k + 1; ++x) {
      if (x % 2 || y % 3)
        continue;
      float s = 0;
      for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j)
          s += in[(y + i) * w + x + j] * f[i * k + j];
      out[y * (w - k + 1) + x] = s;
    }
}
