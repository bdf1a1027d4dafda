// RUN: %host %s %t
// A mirror that reads the last element twice.
// CALL: mirror_sym(70, 3, 7)
// CALL: mirror_sym(70, 1, 3)
// CALL: mirror_sym(33, 0, 3)
// CALL: mirror_sym(33, 2, 3)
// CALL: mirror_sym(9, 4, 9)
void mirror_sym(const float *s, const float *w, float *out, int n, int a,
                int k) {
  for (int x = 0; x < n; x++) {
    float sum = 0;
    for (int j = 0; j < k; j++) {
      int t = x + j - a;
      t = t < 0 ? -t - 1 : t >= n ? 2 * n - 1 - t : t;
      sum += s[t] * w[j];
    }
    out[x] = sum;
  }
}
