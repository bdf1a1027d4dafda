// RUN: %host %s %t
// One image beside another that is displaced either way, where both are.
// CALL: differ(60, 41, 0, 0)
// CALL: differ(60, 41, -2, 1)
// CALL: differ(33, 20, 3, -5)
void differ(const float *a, const float *b, float *out, int w, int h, int u,
            int v) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++) {
          int q = y + i, p = x + j;
          if (q < 0 || q >= h || p < 0 || p >= w || q + v < 0 || q + v >= h ||
              p + u < 0 || p + u >= w)
            continue;
          float d = a[q * w + p] - b[(q + v) * w + p + u];
          s += d * d;
        }
      out[y * w + x] = s;
    }
}
