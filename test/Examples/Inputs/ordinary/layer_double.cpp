// A layer in double precision with run-time strides.

void layer_double(const double *in, const double *weights, double *out, int N,
                  int C, int H, int W, int M, int K, int OH, int OW,
                  int stride) {
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++) {
          double sum = 0.0;
          for (int c = 0; c < C; c++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++) {
                int iy = y * stride + i;
                int ix = x * stride + j;
                if (iy < H && ix < W)
                  sum += in[((n * C + c) * H + iy) * W + ix] *
                         weights[((m * C + c) * K + i) * K + j];
              }
          out[((n * M + m) * OH + y) * OW + x] = sum;
        }
}
