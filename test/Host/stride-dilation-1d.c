// As in stride-dilation.cpp, of samples with channels.
// RUN: %host %s %t | count 4
// CALL: conv(8, 100, 8, 5, 2, 4, 2)
// CALL: conv(3, 96, 4, 3, 3, 0, 6)
// CALL: conv(3, 96, 4, 3, 6, 2, 4)
// CALL: conv(3, 97, 4, 4, 1, 2, 3)
void conv(const float *x, const float *w, float *y, int C, int L, int M, int K,
          int stride, int pad, int dil) {
  const int OL = (L + 2 * pad - dil * (K - 1) - 1) / stride + 1;
  for (int m = 0; m < M; m++)
    for (int o = 0; o < OL; o++) {
      float a = 0;
      for (int c = 0; c < C; c++)
        for (int k = 0; k < K; k++) {
          const int l = o * stride - pad + k * dil;
          if (0 <= l && l < L)
            a += x[l * C + c] * w[(m * C + c) * K + k];
        }
      y[m * OL + o] = a;
    }
}
