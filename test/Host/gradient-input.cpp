// RUN: %host %s %t
// CALL: backward(3, 4, 30, 33, 3)
// CALL: backward(2, 3, 25, 40, 5)
void backward(const float *dy, const float *f, float *dx, int C, int M, int H,
              int W, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int c = 0; c < C; ++c)
    for (int y = 0; y < H; ++y)
      for (int x = 0; x < W; ++x) {
        float sum = 0;
        for (int m = 0; m < M; ++m)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j)
              if (y >= i && y - i < OH && x >= j && x - j < OW)
                sum += dy[(m * OH + y - i) * OW + x - j] *
                       f[((m * C + c) * K + i) * K + j];
        dx[(c * H + y) * W + x] = sum;
      }
}
