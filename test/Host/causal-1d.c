// RUN: %host %s %t
// Zeros at one end only.
// CALL: causal(100, 7)
// CALL: causal(40, 12)
void causal(const float *x, const float *f, float *y, int n, int k) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < k; j++)
      if (i - j >= 0)
        sum += x[i - j] * f[j];
    y[i] = sum;
  }
}
