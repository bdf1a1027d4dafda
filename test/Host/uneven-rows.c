// RUN: %host %s %t
// CALL: uneven(9, 5)
// CALL: uneven(1, 3)
// The rows of 's' have no length that is linear in 'i': it stays in a thread.

void uneven(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i % 4 + 1; j++) {
      float s = 0;
      for (int k = 0; k < m; k++)
        s += x[(i * 4 + j) * m + k];
      for (int k = 0; k < m; k++)
        y[(i * 4 + j) * m + k] = x[(i * 4 + j) * m + k] - s;
    }
}
