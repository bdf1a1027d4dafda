// RUN: %host %s %t
// The inner range is empty for late rows, of which nothing is touched.
// CALL: tail(40, 17)
// CALL: tail(12, 50)
void tail(const float *b, float *out, int n, int m) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = i; j < m; j++)
      sum += b[i * 3 + j];
    out[i] = sum;
  }
}
