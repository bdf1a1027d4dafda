// RUN: %host %s %t
// Fields of neighbours, of which the first and the last element have some.
// CALL: neighbours(300)
// CALL: neighbours(2)
void neighbours(int n, const float *x, float *y) {
  for (int i = 1; i < n; ++i) {
    y[2 * i - 2] = x[3 * i - 1] + x[3 * i];
    y[2 * i - 1] = x[3 * i - 2] - x[3 * i + 4];
  }
}
