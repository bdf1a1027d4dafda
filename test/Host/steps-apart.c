// RUN: %host %s %t
// CALL: steps(3, 5, 6)
// CALL: steps(2, 40, 70)
// A loop over steps is distributed: one of its parts is parallel in it, and the
// copy of the loop around the other one runs its kernel in turn.

void steps(int T, int n, int m, const float *x, float *a, float *u) {
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[(t * n + i) * m + j] = 2 * x[(t * n + i) * m + j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[((t + 1) * n + i) * m + j] =
            u[(t * n + i - 1) * m + j] + u[(t * n + i + 1) * m + j] +
            u[(t * n + i) * m + j - 1] + u[(t * n + i) * m + j + 1];
  }
}
