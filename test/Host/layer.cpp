// RUN: %host %s %t
// A layer with a batch, padding and a stride known at run time.
// CALL: conv(2, 3, 4, 20, 22, 3, 1, 1)
// CALL: conv(1, 2, 5, 25, 30, 5, 2, 2)
// CALL: conv(2, 2, 2, 20, 30, 3, 0, 2)
void conv(const float *in, const float *f, float *out, int N, int C, int M,
          int H, int W, int K, int pad, int stride) {
  int OH = (H + 2 * pad - K) / stride + 1, OW = (W + 2 * pad - K) / stride + 1;
  for (int n = 0; n < N; ++n)
    for (int m = 0; m < M; ++m)
      for (int y = 0; y < OH; ++y)
        for (int x = 0; x < OW; ++x) {
          float sum = 0;
          for (int c = 0; c < C; ++c)
            for (int i = 0; i < K; ++i)
              for (int j = 0; j < K; ++j) {
                int iy = y * stride + i - pad, ix = x * stride + j - pad;
                if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                  sum += in[((n * C + c) * H + iy) * W + ix] *
                         f[((m * C + c) * K + i) * K + j];
              }
          out[((n * M + m) * OH + y) * OW + x] = sum;
        }
}
