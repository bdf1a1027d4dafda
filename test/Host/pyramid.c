// RUN: %host %s %t
// Half of a mirrored image, of odd sizes, too, by a table of the body's own.
// CALL: down(60, 41)
// CALL: down(7, 8)
void down(const float *in, float *out, int w, int h) {
  for (int y = 0; y < (h + 1) / 2; y++)
    for (int x = 0; x < (w + 1) / 2; x++) {
      static const float g[5] = {1, 4, 6, 4, 1};
      float s = 0;
      for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++) {
          int v = 2 * y + i, u = 2 * x + j;
          if (v < 0)
            v = -v;
          if (v > h - 1)
            v = 2 * (h - 1) - v;
          if (u < 0)
            u = -u;
          if (u > w - 1)
            u = 2 * (w - 1) - u;
          s += g[i + 2] * g[j + 2] * in[v * w + u];
        }
      out[y * ((w + 1) / 2) + x] = s / 256;
    }
}
