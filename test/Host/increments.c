// RUN: %host %s %t
// Vectors with increments, as of BLAS.
// CALL: decimate(3, 11, 2, 40, 2)
// CALL: decimate(1, 5, 1, 33, 1)
void decimate(const double *x, const double *h, double *y, int incx, int m,
              int incy, int n, int R) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < m; ++k)
      sum += x[(i * R + k) * incx] * h[k];
    y[i * incy] = sum;
  }
}
