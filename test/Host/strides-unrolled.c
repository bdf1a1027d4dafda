// RUN: %host %s %t
// Windows without loops: the stride of rows is alone in constant offsets only.
// CALL: pool(3, 4, 4, 72, 9, 2)
// CALL: pool(2, 30, 17, 4950, 55, 3)
void pool(const float *x, float *y, int N, int OH, int OW, int sn, int sh,
          int S) {
  for (int n = 0; n < N; n++)
    for (int p = 0; p < OH; p++)
      for (int q = 0; q < OW; q++)
        y[(n * OH + p) * OW + q] =
            x[n * sn + p * S * sh + q * S] + x[n * sn + p * S * sh + q * S + 1] +
            x[n * sn + (p * S + 1) * sh + q * S] +
            x[n * sn + (p * S + 1) * sh + q * S + 1];
}
