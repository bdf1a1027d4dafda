// RUN: %host %s %t
// The taps of two loops with a step end at the row's ends.
// CALL: taps(70, 5)
// CALL: taps(9, 8)
void taps(const float *x, const float *w, float *y, int n, int K) {
  for (int o = 0; o < n; o++) {
    float s = 0;
    for (int i = 0; i < K && o + i < n; i += 2) {
      s += x[o + i] * w[i];
    }
    for (int i = K; i > 0 && o - K + i >= 0 && i >= 2; i -= 3) {
      s += x[o - K + i] * w[i - 1];
    }
    y[o] = s;
  }
}
