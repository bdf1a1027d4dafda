// RUN: %host %s %t
// Borders are told by equality, and written before the loop goes on.
// CALL: blur(37, 70)
// CALL: blur(3, 3)
void blur(const float *x, float *y, int h, int w) {
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++) {
      if (r == 0 || r == h - 1 || c == 0 || c == w - 1) {
        y[r * w + c] = 0;
        continue;
      }
      float s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          s += x[(r + i) * w + c + j];
      y[r * w + c] = s / 9;
    }
}
