// RUN: %host %s %t
// CALL: fir<5>(300)
// CALL: fir<5>(33)
template <int K> void fir(const float *x, const float *f, float *y, int n) {
  for (int i = 0; i <= n - K; ++i) {
    float sum = 0;
    for (int j = 0; j < K; ++j)
      sum += x[i + j] * f[j];
    y[i] = sum;
  }
}
