// RUN: %host %s %t
// Zeros above and to the left only.
// CALL: conv(40, 50, 3)
// CALL: conv(33, 31, 5)
void conv(const float *in, const float *f, float *out, int H, int W, int K) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          if (y - i >= 0 && x - j >= 0)
            sum += in[(y - i) * W + x - j] * f[i * K + j];
      out[y * W + x] = sum;
    }
}
