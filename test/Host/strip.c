// RUN: %host %s %t
// CALL: strip(9, 13, 3, 2, 6)
// CALL: strip(9, 13, 3, 0, 7)
void strip(const float *in, const float *f, float *out, int H, int W, int K,
           int y0, int y1) {
  for (int y = y0; y < y1; y++)
    for (int x = 0; x < W; x++) {
      float s = 0.0f;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[(y + i) * (W + K - 1) + x + j] * f[i * K + j];
      out[y * W + x] = s;
    }
}
