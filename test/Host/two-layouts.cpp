// RUN: %host %s %t -tile=16,2,2 -reg=2,2
// An output of one of two layouts, and any other value that the flag may have.
// CALL: conv(3, 9, 11, 4, 3, 0)
// CALL: conv(3, 9, 11, 4, 3, 1)
void conv(const float *x, const float *w, float *y, int C, int H, int W, int K,
          int R, int last) {
  const int P = H - R + 1, Q = W - R + 1;
  for (int k = 0; k < K; ++k)
    for (int p = 0; p < P; ++p)
      for (int q = 0; q < Q; ++q) {
        float s = 0;
        for (int c = 0; c < C; ++c)
          for (int i = 0; i < R; ++i)
            for (int j = 0; j < R; ++j)
              s += x[last ? ((p + i) * W + q + j) * C + c
                          : (c * H + p + i) * W + q + j] *
                   w[((k * C + c) * R + i) * R + j];
        y[last ? (p * Q + q) * K + k : (k * P + p) * Q + q] = s;
      }
}
