// RUN: %host %s %t
// CALL: conv(20, 33, 3, 40, 1)
// CALL: conv(20, 33, 3, 100, 3)
// CALL: conv(20, 33, 5, 131, 4)
// Rows and columns of the output are apart as the caller says; the first need
// be no multiples of the second.
void conv(int H, int W, int K, int sy, int sx, const float *in, const float *f,
          float *out) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[(y + i) * (W + K - 1) + x + j] * f[i * K + j];
      out[y * sy + x * sx] = s;
    }
}
