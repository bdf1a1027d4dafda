// RUN: %host %s %t
// CALL: rows(9, 40)
// CALL: rows(70, 3)
// Two statements that wait for one another, with one between that waits for
// nothing: that is a kernel of its own.

void rows(int K, int n, const float *c, const float *d, float *x, float *y,
          float *z) {
  for (int k = 0; k < K; k++)
    for (int i = 1; i < n; i++) {
      x[k * n + i] = y[k * n + i - 1] + c[i];
      z[k * n + i] = x[k * n + i] * d[i];
      y[k * n + i] = x[k * n + i] / 2;
    }
}
