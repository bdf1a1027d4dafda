// RUN: %host %s %t
// A stride known at run time: the last outputs end before the row does.
// CALL: conv(50, 5, 3)
// CALL: conv(128, 4, 1)
void conv(const float *restrict x, const float *restrict f, float *restrict y,
          int n, int k, int s) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < k; j++)
      sum += x[i * s + j] * f[j];
    y[i] = sum;
  }
}
