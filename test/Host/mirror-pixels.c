// RUN: %host %s %t
// The border of mirrored pixels is narrower than their filter.
// CALL: mnhwc(30, 41, 3, 1, 3)
// CALL: mnhwc(12, 19, 4, 2, 5)
// CALL: mnhwc(12, 19, 1, 0, 2)
void mnhwc(const unsigned char *s, const float *w, float *out, int h, int n,
           int c, int a, int k) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < n; x++)
      for (int q = 0; q < c; q++) {
        float sum = 0;
        for (int j = 0; j < k; j++) {
          int t = x + j - a;
          if (t < 0)
            t = -t - 1;
          if (t >= n)
            t = 2 * n - 1 - t;
          sum += s[(y * n + t) * c + q] * w[j];
        }
        out[(y * n + x) * c + q] = sum;
      }
}
