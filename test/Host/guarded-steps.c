// RUN: %host %s %t
// Every other tap, up to one that a guard has.
// CALL: taps(40, 8, 6)
// CALL: taps(40, 8, 2)
void taps(const float *in, float *out, int n, int m, int k) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j += 2)
      if (j < k)
        out[i] += in[i + j];
}
