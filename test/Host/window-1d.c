// RUN: %host %s %t
// What lies outside of [from, end) is zero.
// CALL: window(200, 3, 50, 60)
// CALL: window(200, 5, 150, 260)
void window(const float *in, const float *f, float *out, int n, int K, int from,
            int end) {
  int r = K / 2;
  for (int x = 0; x < n; x++) {
    float sum = 0;
    for (int i = 0; i < K; i++)
      if (x + i - r >= from && x + i - r < end)
        sum += in[x + i - r] * f[i];
    out[x] = sum;
  }
}
