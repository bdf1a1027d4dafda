// RUN: %host %s %t
// The filter backwards: a convolution proper.
// CALL: conv(33, 40, 3)
// CALL: conv(20, 65, 5)
void conv(const float *in, const float *f, float *out, int H, int W, int K) {
  for (int y = K - 1; y < H; ++y)
    for (int x = K - 1; x < W; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(y - i) * W + x - j] * f[i * K + j];
      out[(y - K + 1) * (W - K + 1) + x - K + 1] = sum;
    }
}
