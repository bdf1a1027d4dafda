// RUN: %host %s %t
// The width as 2 * r + 1, of an image with a border.
// CALL: correlate(30, 41, 3)
// CALL: correlate(64, 32, 1)
void correlate(const float *in, const float *f, float *out, int H, int W,
               int r) {
  const int K = 2 * r + 1;
  for (int y = 0; y < H - 2 * r; ++y)
    for (int x = 0; x < W - 2 * r; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(y + i) * W + x + j] * f[i * K + j];
      out[y * (W - 2 * r) + x] = sum;
    }
}
