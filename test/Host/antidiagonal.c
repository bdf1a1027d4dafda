// RUN: %host %s %t
// CALL: slant(40, 56, 5)
// CALL: slant(9, 33, 2)
void slant(const float *in, const float *f, float *out, int H, int W, int K) {
  for (int y = 0; y + K <= H; y++)
    for (int x = 0; x + K <= W; x++) {
      float sum = 0;
      for (int i = 0; i < K; i++)
        sum += f[i] * in[(y + i) * W + x + K - 1 - i];
      out[y * (W - K + 1) + x] = sum;
    }
}
