// RUN: %host %s %t
// Strides of dimensions beside steps within them, of which nothing says which is
// which: a stride and a dilation that are known at run time.
// CALL: conv(3, 9, 11, 3, 2, 2, 750, 25)
// CALL: conv(2, 20, 33, 5, 1, 3, 2400, 50)
// CALL: conv(4, 7, 40, 1, 3, 1, 3900, 130)
void conv(const float *x, const float *w, float *y, int C, int OH, int OW,
          int K, int S, int D, int sc, int sh) {
  for (int p = 0; p < OH; p++)
    for (int q = 0; q < OW; q++) {
      float sum = 0;
      for (int c = 0; c < C; c++)
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            sum += x[c * sc + (p * S + i * D) * sh + q * S + j * D] *
                   w[(c * K + i) * K + j];
      y[p * OW + q] = sum;
    }
}
