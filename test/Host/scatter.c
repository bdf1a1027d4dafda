// RUN: %host %s %t
// Each input adds to several outputs; a thread has one output. Where a filter
// is shorter than the stride, some outputs are not touched.
// CALL: scatter(40, 7, 3)
// CALL: scatter(9, 1, 3)
// CALL: scatter(1, 9, 5)
// CALL: scatter(6, 2, 2)
void scatter(const float *x, const float *w, float *y, int n, int k, int c) {
  for (int m = 0; m < c; m++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < k; j++)
        y[2 * i + j] += x[m * n + i] * w[m * k + j];
}
