// RUN: %host %s %t
// Whether there is a bias is an argument of the launcher, which C++ calls too.
// CALL: smooth(60, 4)
// CALL: smooth(33, 7)
void smooth(const float *in, const float *f, const float *bias, float *out,
            int n, int k) {
  for (int x = 0; x < n; x++) {
    float sum = bias ? bias[x] : 0.0f;
    for (int j = 0; j < k; j++)
      sum += in[x + j] * f[j];
    out[x] = sum;
  }
}
