// RUN: %host %s %t
// A loop that is left with nothing to do.
// CALL: never(300)
void never(const float *x, const float *w, float *y, int n) {
  for (int i = 0; i < n; i++) {
    float a = 0;
    for (int j = 0; j < 3; j++)
      if (n < 0)
        a += x[i + j] * w[j];
    y[i] = a;
  }
}
