// RUN: %host %s %t
// A window of constant width in a clamped image, moved either way.
// CALL: moved(60, 41, 0, 0)
// CALL: moved(60, 41, 2, -3)
// CALL: moved(33, 20, -45, 4)
static int within(int v, int lo, int hi) {
  return v < lo ? lo : v > hi ? hi : v;
}
void moved(const float *in, float *out, int w, int h, int dx, int dy) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          s += in[within(y + i + dy, 0, h - 1) * w +
                  within(x + j + dx, 0, w - 1)];
      out[y * w + x] = s - in[y * w + x];
    }
}
