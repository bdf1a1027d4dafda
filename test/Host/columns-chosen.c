// RUN: %host %s %t -tile=16,4
// Some columns of a mirrored image, up to its end.
// CALL: columns(64, 48, 3, 10, 40)
// CALL: columns(64, 48, 5, 0, 64)
// CALL: columns(31, 20, 3, 25, 31)
void columns(const float *in, float *out, int w, int h, int n, int x0, int x1) {
  const int r = n / 2;
  for (int y = 0; y < h; y++)
    for (int x = x0; x < x1; x++) {
      float s = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          int v = y + i, u = x + j;
          v = v < 0 ? -v - 1 : v >= h ? 2 * h - 1 - v : v;
          u = u < 0 ? -u - 1 : u >= w ? 2 * w - 1 - u : u;
          s += in[v * w + u];
        }
      out[y * w + x] = s;
    }
}
