// RUN: %host %s %t
// Some rows of a mirrored image.
// CALL: bandmirror(30, 41, 1, 0, 30)
// CALL: bandmirror(30, 41, 1, 0, 4)
// CALL: bandmirror(30, 41, 2, 26, 30)
// CALL: bandmirror(30, 41, 2, 5, 20)
// CALL: bandmirror(30, 41, 3, 0, 1)
void bandmirror(const float *in, const float *w, float *out, int h, int n,
                int r, int y0, int y1) {
  for (int y = y0; y < y1; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          int v = y + i, u = x + j;
          v = v < 0 ? -v : v >= h ? 2 * h - 2 - v : v;
          u = u < 0 ? -u : u >= n ? 2 * n - 2 - u : u;
          sum += in[v * n + u] * w[(i + r) * (2 * r + 1) + j + r];
        }
      out[y * n + x] = sum;
    }
}
