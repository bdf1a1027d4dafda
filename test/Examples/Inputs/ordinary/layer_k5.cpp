// The same with a filter of 5 and a stride that are known when it is compiled.

void layer_k5(const float *in, const float *weights, float *out, int N, int C,
              int H, int W, int M) {
  const int K = 5, pad = 2, stride = 2;
  int OH = (H + 2 * pad - K) / stride + 1;
  int OW = (W + 2 * pad - K) / stride + 1;
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++) {
          float sum = 0.0f;
          for (int c = 0; c < C; c++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++) {
                int iy = stride * y + i - pad;
                int ix = stride * x + j - pad;
                if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                  sum += in[((n * C + c) * H + iy) * W + ix] *
                         weights[((m * C + c) * K + i) * K + j];
              }
          out[((n * M + m) * OH + y) * OW + x] = sum;
        }
}
