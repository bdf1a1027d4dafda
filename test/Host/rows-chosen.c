// RUN: %host %s %t
// Two rows of a clamped image.
// CALL: tworows(30, 41, 1, 0, 29)
// CALL: tworows(30, 41, 2, 5, 20)
void tworows(const float *in, const float *w, float *out, int h, int n, int r,
             int a, int b) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < n; x++)
      if (y == a || y == b) {
        float sum = 0;
        for (int i = -r; i <= r; i++) {
          int v = y + i;
          v = v < 0 ? 0 : v >= h ? h - 1 : v;
          sum += in[v * n + x] * w[i + r];
        }
        out[y * n + x] = sum;
      }
}
