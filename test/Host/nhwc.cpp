// RUN: %host %s %t
// Channels last.
// CALL: conv(20, 25, 4, 6, 3)
// CALL: conv(33, 20, 3, 8, 5)
void conv(const float *in, const float *f, float *out, int H, int W, int C,
          int M, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x)
      for (int m = 0; m < M; ++m) {
        float sum = 0;
        for (int i = 0; i < K; ++i)
          for (int j = 0; j < K; ++j)
            for (int c = 0; c < C; ++c)
              sum += in[((y + i) * W + x + j) * C + c] *
                     f[((i * K + j) * C + c) * M + m];
        out[(y * OW + x) * M + m] = sum;
      }
}
