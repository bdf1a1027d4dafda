// RUN: %host %s %t
// The border of a mirrored row has a width of its own, beside the filter's.
// CALL: mirror1(70, 3, 7)
// CALL: mirror1(70, 1, 3)
// CALL: mirror1(64, 0, 1)
// CALL: mirror1(33, 2, 5)
// CALL: mirror1(33, 2, 3)
// CALL: mirror1(200, 4, 5)
// CALL: mirror1(9, 4, 9)
// CALL: mirror1(16, 0, 5)
// CALL: mirror1(16, 4, 5)
// CALL: mirror1(100, 7, 15)
void mirror1(const float *s, const float *w, float *out, int n, int a, int k) {
  for (int x = 0; x < n; x++) {
    float sum = 0;
    for (int j = 0; j < k; j++) {
      int t = x + j - a;
      if (t < 0)
        t = -t;
      if (t >= n)
        t = 2 * n - 2 - t;
      sum += s[t] * w[j];
    }
    out[x] = sum;
  }
}
