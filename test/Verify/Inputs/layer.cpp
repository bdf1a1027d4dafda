void layer(const float *in, const float *w, float *out, int C, int M, int H,
           int W, int K, int stride, int pad) {
  int OH = (H + 2 * pad - K) / stride + 1;
  int OW = (W + 2 * pad - K) / stride + 1;
  for (int m = 0; m < M; ++m)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x) {
        float sum = 0.0f;
        for (int c = 0; c < C; ++c)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j) {
              int row = y * stride - pad + i, column = x * stride - pad + j;
              if (row >= 0 && row < H && column >= 0 && column < W)
                sum += in[(c * H + row) * W + column] *
                       w[((m * C + c) * K + i) * K + j];
            }
        out[(m * OH + y) * OW + x] = sum;
      }
}
