// RUN: %host %s %t
// CALL: row(70, 0.5f)
// CALL: row(1, 2)
// A value that statements of two kernels read is computed in both.

void row(int n, float leak, const float *x, const float *y, const float *dy,
         const float *w, float *dw, float *dx) {
  for (int r = 0; r < 3; r++) {
    float a = 0;
    for (int i = 0; i < n; i++) {
      float g = dy[i] * (y[i] > 0 ? 1.0f : leak);
      a += g * x[i + r];
      dx[i + r] += g * w[r];
    }
    dw[r] = a;
  }
}
