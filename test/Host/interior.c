// RUN: %host %s %t
// Only what has all neighbours; the border keeps its values.
// CALL: smooth(40, 37, 2)
// CALL: smooth(33, 70, 1)
void smooth(const float *in, const float *f, float *out, int H, int W, int r) {
  for (int y = r; y < H - r; y++)
    for (int x = r; x < W - r; x++) {
      float sum = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++)
          sum += in[(y + i) * W + x + j] * f[(i + r) * (2 * r + 1) + j + r];
      out[y * W + x] = sum;
    }
}
