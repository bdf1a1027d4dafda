// A layer on flat arrays with zero padding and a stride of 1.

void layer_padded(const float *in, const float *weights, float *out, int N,
                  int C, int H, int W, int M, int K, int pad) {
  int OH = H + 2 * pad - K + 1;
  int OW = W + 2 * pad - K + 1;
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++) {
          float sum = 0.0f;
          for (int c = 0; c < C; c++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++) {
                int iy = y + i - pad;
                int ix = x + j - pad;
                if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                  sum += in[((n * C + c) * H + iy) * W + ix] *
                         weights[((m * C + c) * K + i) * K + j];
              }
          out[((n * M + m) * OH + y) * OW + x] = sum;
        }
}
