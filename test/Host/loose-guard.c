// RUN: %host %s %t
// The guard says less than the loop does.
// CALL: conv(40, 36, 3)
// CALL: conv(35, 64, 5)
void conv(const float *in, const float *f, float *out, int H, int W, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++)
      if (y < H && x < W) {
        float sum = 0;
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            sum += in[(y + i) * W + x + j] * f[i * K + j];
        out[y * OW + x] = sum;
      }
}
