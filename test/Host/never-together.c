// RUN: %host %s %t
// Guards of which each holds somewhere, and both nowhere, in a statement and
// within an expression.
// CALL: conv(200)
// CALL: conv(9)
void conv(int n, const float *in, const float *w, const float *u, float *y) {
  for (int i = 0; i < n - 2; i++) {
    float s = 0;
    for (int a = 0; a < 3; a++) {
      if (i + 2 * a >= n + 1 && i + 3 * a <= n + 2)
        s += in[i + a + 5] * u[a];
      s += in[i + a] * w[a] + (i + a >= n ? in[i + a + 9] : 0.0f);
    }
    y[i] = s;
  }
}
