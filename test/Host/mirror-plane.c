// RUN: %host %s %t
// One channel of three is read from a row that is mirrored.
// CALL: blur(70, 3)
// CALL: blur(9, 8)
void blur(const float *x, float *y, int w, int r) {
  for (int i = 0; i < w; i++) {
    float s = 0;
    for (int k = -r; k <= r; k++) {
      int p = i + k;
      s += x[(p < 0 ? -p : p >= w ? 2 * w - 2 - p : p) * 3];
    }
    y[i] = s;
  }
}
