// RUN: %host %s %t
// CALL: conv(40, 66)
static inline void conv(const short *in, int *out, int H, int W) {
  for (int y = 0; y < H - 2; ++y)
    for (int x = 0; x < W - 2; ++x) {
      int sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          sum += in[(y + i) * W + x + j] * (i + 2 * j - 3);
      out[y * (W - 2) + x] = sum;
    }
}
