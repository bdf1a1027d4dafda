// RUN: %host %s %t
// CALL: backward(3, 4, 20, 23, 3)
// CALL: backward(2, 3, 25, 20, 5)
void backward(const float *x, const float *dy, float *df, int C, int M, int H,
              int W, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int m = 0; m < M; ++m)
    for (int c = 0; c < C; ++c)
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) {
          float sum = 0;
          for (int h = 0; h < OH; ++h)
            for (int w = 0; w < OW; ++w)
              sum += x[(c * H + h + i) * W + w + j] * dy[(m * OH + h) * OW + w];
          df[((m * C + c) * K + i) * K + j] = sum;
        }
}
