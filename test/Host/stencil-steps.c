// RUN: %host %s %t
// CALL: jacobi(5, 6, 3)
// CALL: jacobi(40, 70, 2)
// Steps of a stencil between two arrays: their loop runs two kernels in turn.

void jacobi(int n, int m, int steps, float *a, float *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i * m + j] = 0.25f * (a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                                a[i * m + j - 1] + a[i * m + j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i * m + j] = b[i * m + j];
  }
}
