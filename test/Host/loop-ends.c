// RUN: %host %s %t
// A loop over the filter ends at the image, too.
// CALL: conv(30, 41, 5, 3)
// CALL: conv(33, 20, 3, 5)
void conv(const float *in, const float *f, float *out, int H, int W, int KH,
          int KW) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float sum = 0.0f;
      for (int i = 0; i < KH && y + i < H; i++)
        for (int j = 0; W - x > j && j < KW; j++)
          sum += in[(y + i) * W + x + j] * f[i * KW + j];
      out[y * W + x] = sum;
    }
}
