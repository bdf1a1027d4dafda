// RUN: %host %s %t
// CALL: conv(90, 5, 4)
// CALL: conv(200, 3, 1)
void conv(const float *x, const float *f, float *y, int n, int k, int d) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < k; j++)
      sum += x[i + j * d] * f[j];
    y[i] = sum;
  }
}
