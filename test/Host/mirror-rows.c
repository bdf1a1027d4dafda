// RUN: %host %s %t
// The reads of a row that is mirrored at both ends have bounds of their own.
// CALL: blur(70, 3)
// CALL: blur(9, 8)
void blur(const float *x, float *y, int w, int r) {
  for (int i = 0; i < w; i++)
    for (int c = 0; c < 3; c++) {
      float s = 0;
      for (int k = -r; k <= r; k++) {
        int p = i + k;
        s += x[(p < 0 ? -p : p >= w ? 2 * w - 2 - p : p) * 3 + c];
      }
      y[i * 3 + c] = s;
    }
}
