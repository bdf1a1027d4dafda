// RUN: %host %s %t
// A filter from -r to r, zeros beyond both ends.
// CALL: conv(70, 2)
// CALL: conv(257, 8)
void conv(const float *x, const float *f, float *y, int n, int r) {
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int j = -r; j <= r; j++)
      if (i + j >= 0 && i + j < n)
        sum += x[i + j] * f[j + r];
    y[i] = sum;
  }
}
