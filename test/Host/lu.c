// RUN: %host %s %t
// CALL: lu(5)
// CALL: lu(37)
// CALL: lu(2)
// An LU decomposition: each step runs two kernels, whose loops begin after it.

void lu(int n, float *A) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      A[i * n + k] /= A[k * n + k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
  }
}
