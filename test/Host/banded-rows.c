// RUN: %host %s %t
// CALL: banded(9, 3)
// CALL: banded(2, 40)
// Rows of 's' are as long as the band is wide, wherever they begin.

void banded(int n, int width, const float *x, float *y) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < i + width; j++) {
      float s = 0;
      for (int k = 0; k < 64; k++)
        s += x[(i * width + j - i) * 64 + k];
      for (int k = 0; k < 64; k++)
        y[(i * width + j - i) * 64 + k] = x[(i * width + j - i) * 64 + k] - s;
    }
}
