// RUN: %host %s %t
// A replicated border on both sides, of a window whose anchor is an argument.
// CALL: window(70, 5, 2)
// CALL: window(70, 3, 1)
// CALL: window(33, 4, 3)
void window(const float *s, const float *k, float *d, int n, int w, int a) {
  for (int x = 0; x < n; ++x) {
    float v = 0;
    for (int j = 0; j < w; ++j) {
      int p = x + j - a;
      if (p < 0)
        p = 0;
      if (p >= n)
        p = n - 1;
      v += k[j] * s[p];
    }
    d[x] = v;
  }
}
