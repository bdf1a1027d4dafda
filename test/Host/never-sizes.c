// RUN: %host %s %t
// Guards that fail wherever their loops run.
// CALL: conv(300, 3)
// CALL: conv(70, 1)
void conv(int n, int K, const float *x, const float *w, const float *u,
          float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < K; j++) {
      if (n < 0)
        s += u[i + j];
      if (j >= K)
        s += u[i + j];
      if (i + j < 0)
        s += u[-i - j];
      s += x[i + j] * w[j];
    }
    y[i] = s;
  }
}
