// RUN: %host %s %t
// CALL: attention(5, 7, 3)
// CALL: attention(70, 33, 20)
// CALL: attention(1, 1, 1)
// Two products around a softmax, whose maxima and sums are arrays meanwhile:
// five kernels in turn.

void attention(int n, int m, int d, const float *q, const float *k,
               const float *v, float *s, float *o) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      s[i * m + j] = 0;
      for (int c = 0; c < d; c++)
        s[i * m + j] += q[i * d + c] * k[j * d + c];
    }
    float most = s[i * m];
    for (int j = 1; j < m; j++)
      if (s[i * m + j] > most)
        most = s[i * m + j];
    float sum = 1;
    for (int j = 0; j < m; j++)
      sum += most - s[i * m + j];
    for (int j = 0; j < m; j++)
      s[i * m + j] = (most - s[i * m + j]) / sum;
    for (int c = 0; c < d; c++) {
      o[i * d + c] = 0;
      for (int j = 0; j < m; j++)
        o[i * d + c] += s[i * m + j] * v[j * d + c];
    }
  }
}
