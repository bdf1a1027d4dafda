// RUN: %host %s %t
// CALL: eliminate(33)
// CALL: eliminate(2)
// CALL: eliminate(70)
// The factors of a column are an array, over rows whose first one changes from
// iteration to iteration: each has a kernel for these and one for the matrix.

void eliminate(int n, float *a) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      float factor = a[i * n + k] * 0.125f;
      for (int j = k; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
    }
}
