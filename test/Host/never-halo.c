// RUN: %host %s %t
// A choice that a valid convolution always makes the same way.
// CALL: conv(20, 40, 3)
// CALL: conv(20, 33, 5)
void conv(int H, int W, int K, const float *x, const float *w,
          const float *halo, float *y) {
  for (int i = 0; i < H - K + 1; i++)
    for (int j = 0; j < W - K + 1; j++) {
      float s = 0;
      for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++) {
          int r = i + a, c = j + b;
          s += (r < H && c < W ? x[r * W + c] : halo[0]) * w[a * K + b];
        }
      y[i * (W - K + 1) + j] = s;
    }
}
