// RUN: %host %s %t
// CALL: conv(5, 30, 40, 3)
// CALL: conv(3, 33, 64, 5)
void conv(const float *in, const float *f, float *out, int C, int H, int W,
          int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int c = 0; c < C; ++c)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x) {
        float sum = 0;
        for (int i = 0; i < K; ++i)
          for (int j = 0; j < K; ++j)
            sum += in[(c * H + y + i) * W + x + j] * f[(c * K + i) * K + j];
        out[(c * OH + y) * OW + x] = sum;
      }
}
