// RUN: %host %s %t
// CALL: conv(3, 4, 20, 33, 3, 0.5)
// CALL: conv(2, 6, 25, 20, 5, -0.25)
void conv(const float *in, const float *f, const float *bias, float *out, int C,
          int M, int H, int W, int K, float slope) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int m = 0; m < M; ++m)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x) {
        float sum = bias[m];
        for (int c = 0; c < C; ++c)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j)
              sum += in[(c * H + y + i) * W + x + j] *
                     f[((m * C + c) * K + i) * K + j];
        out[(m * OH + y) * OW + x] = sum > 0 ? sum : slope * sum;
      }
}
