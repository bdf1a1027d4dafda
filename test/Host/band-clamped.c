// RUN: %host %s %t
// Some rows of a clamped image, the first or the last ones among them.
// CALL: bandguard(30, 41, 1, 0, 30)
// CALL: bandguard(30, 41, 1, 0, 4)
// CALL: bandguard(30, 41, 2, 26, 30)
// CALL: bandguard(30, 41, 2, 5, 20)
// CALL: bandguard(30, 41, 3, 0, 1)
void bandguard(const float *in, const float *w, float *out, int h, int n, int r,
               int y0, int y1) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < n; x++)
      if (y >= y0 && y < y1) {
        float sum = 0;
        for (int i = -r; i <= r; i++)
          for (int j = -r; j <= r; j++) {
            int v = y + i, u = x + j;
            v = v < 0 ? 0 : v >= h ? h - 1 : v;
            u = u < 0 ? 0 : u >= n ? n - 1 : u;
            sum += in[v * n + u] * w[(i + r) * (2 * r + 1) + j + r];
          }
        out[y * n + x] = sum;
      }
}
