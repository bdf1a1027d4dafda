// RUN: %host %s %t
// A mirrored row of which every other output is computed, or each third.
// CALL: strm(70, 33, 2, 3, 7)
// CALL: strm(70, 70, 1, 2, 5)
// CALL: strm(61, 20, 3, 1, 3)
void strm(const float *s, const float *w, float *out, int n, int m, int st,
          int a, int k) {
  for (int x = 0; x < m; x++) {
    float sum = 0;
    for (int j = 0; j < k; j++) {
      int t = x * st + j - a;
      if (t < 0)
        t = -t;
      if (t >= n)
        t = 2 * n - 2 - t;
      sum += s[t] * w[j];
    }
    out[x] = sum;
  }
}
