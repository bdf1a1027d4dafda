// RUN: %host %s %t
// Pixels of three bytes, sums of integers.
// CALL: blur(33, 40)
// CALL: blur(20, 70)
void blur(const unsigned char *in, unsigned char *out, int H, int W) {
  for (int y = 1; y < H - 1; y++)
    for (int x = 1; x < W - 1; x++)
      for (int c = 0; c < 3; c++) {
        int sum = 0;
        for (int i = -1; i <= 1; i++)
          for (int j = -1; j <= 1; j++)
            sum += in[((y + i) * W + x + j) * 3 + c];
        out[(y * W + x) * 3 + c] = sum / 9;
      }
}
