// RUN: %host %s %t
// Windows of two clamped images, of which one is displaced by a loop: each case
// of its border reads all of the other.
// CALL: cost(60, 41, 0, 8)
// CALL: cost(60, 41, 3, 4)
void cost(const float *l, const float *r, float *out, int w, int h, int first,
          int n) {
  for (int d = 0; d < n; d++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        float s = 0;
        for (int i = -1; i <= 1; i++)
          for (int j = -1; j <= 1; j++) {
            int v = y + i < 0 ? 0 : y + i >= h ? h - 1 : y + i;
            int u = x + j < 0 ? 0 : x + j >= w ? w - 1 : x + j;
            int t = x + j - first - d;
            t = t < 0 ? 0 : t >= w ? w - 1 : t;
            float e = l[v * w + u] - r[v * w + t];
            s += e < 0 ? -e : e;
          }
        out[(d * h + y) * w + x] = s;
      }
}
