// RUN: %host %s %t
// A flag leaves out the corners of the window, and with them the last element.
// CALL: lap(60, 40, 1)
// CALL: lap(33, 4, 0)
void lap(int w, int h, int diag, const float *in, const float *k, float *out) {
  for (int y = 1; y < h - 1; ++y)
    for (int x = 1; x < w - 1; ++x) {
      float s = 0;
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) {
          if (!diag && i && j)
            continue;
          s += in[(y + i) * w + x + j] * k[(i + 1) * 3 + j + 1];
        }
      out[y * w + x] = s;
    }
}
