// RUN: %host %s %t
// Added to what is there.
// CALL: conv(33, 40, 3)
// CALL: conv(20, 65, 5)
void conv(const float *in, const float *f, float *out, int H, int W, int K) {
  for (int y = 0; y < H - K + 1; ++y)
    for (int x = 0; x < W - K + 1; ++x)
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          out[y * (W - K + 1) + x] += in[(y + i) * W + x + j] * f[i * K + j];
}
