// RUN: %host %s %t
// CALL: pool(40, 66)
// CALL: pool(21, 35)
void pool(const float *in, float *out, int H, int W) {
  for (int y = 0; y < H / 2; y++)
    for (int x = 0; x < W / 2; x++) {
      float sum = 0;
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          sum += in[(2 * y + i) * W + 2 * x + j];
      out[y * (W / 2) + x] = sum * 0.25f;
    }
}
