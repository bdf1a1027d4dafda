// RUN: %host %s %t
// CALL: conv(33, 40, 3)
// CALL: conv(64, 20, 5)
void conv(const double *in, const double *f, double *out, int H, int W, int K) {
  for (int x = 0; x < W - K + 1; x++)
    for (int y = 0; y < H - K + 1; y++) {
      double sum = 0;
      for (int j = 0; j < K; j++)
        for (int i = 0; i < K; i++)
          sum += in[(x + j) * H + y + i] * f[j * K + i];
      out[x * (H - K + 1) + y] = sum;
    }
}
