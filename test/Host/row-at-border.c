// RUN: %host %s %t
// One row of a clamped image, at a border or between.
// CALL: row(60, 41, 5, 0)
// CALL: row(60, 41, 5, 40)
// CALL: row(60, 41, 3, 20)
void row(const float *in, float *out, const float *k, int w, int h, int n,
         int at) {
  for (int x = 0; x < w; x++) {
    float s = 0;
    for (int i = 0; i < n; i++) {
      int y = at + i - n / 2;
      if (y < 0)
        y = 0;
      if (y >= h)
        y = h - 1;
      s += in[y * w + x] * k[i];
    }
    out[x] = s;
  }
}
