// RUN: %host %s %t
// Windows side by side, where each dimension has a stride of its own.
// CALL: pool(3, 10, 12, 2, 720, 24, 2)
// CALL: pool(2, 21, 33, 3, 2400, 80, 1)
void pool(const float *x, float *y, int C, int H, int W, int K, int sc, int sh,
          int sw) {
  const int OH = H / K, OW = W / K;
  for (int c = 0; c < C; ++c)
    for (int p = 0; p < OH; ++p)
      for (int q = 0; q < OW; ++q) {
        float sum = 0;
        for (int i = 0; i < K; ++i)
          for (int j = 0; j < K; ++j)
            sum += x[c * sc + (p * K + i) * sh + (q * K + j) * sw];
        y[(c * OH + p) * OW + q] = sum;
      }
}
