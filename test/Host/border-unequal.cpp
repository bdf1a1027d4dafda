// RUN: %host %s %t
// What is no border is told by inequality: the last row is not touched.
// CALL: edges(37, 70)
// CALL: edges(4, 3)
void edges(const float *x, float *y, int h, int w) {
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++)
      if (r != 0 && r != h - 1 && c != 0 && c != w - 1)
        y[r * w + c] = x[r * w + c - 1] - x[r * w + c + 1];
}
