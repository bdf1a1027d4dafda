// RUN: %host %s %t
// The guard says more than the loop does: only H rows of OH are written.
// CALL: conv(40, 36, 30, 3)
// CALL: conv(35, 64, 90, 5)
void conv(const float *in, const float *f, float *out, int OH, int OW, int H,
          int K) {
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++)
      if (y < H) {
        float sum = 0;
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            sum += in[(y + i) * (OW + K - 1) + x + j] * f[i * K + j];
        out[y * OW + x] = sum;
      }
}
