// RUN: %host %s %t
// CALL: window(40, 5, 90, 2, 3)
// CALL: window(40, 5, 90, 20, 1)
// Pairs of elements, of which guards count.
void window(int W, int K, int m, int P, int D, const float *g, const float *f,
            float *out) {
  for (int x = 0; x < W; x++) {
    float s = 0;
    for (int j = 0; j < K; j++) {
      int t = x + P - j * D;
      if (t >= 0 && t < m)
        s += g[2 * t + 1] * f[j] + g[2 * t];
    }
    out[x] = s;
  }
}
