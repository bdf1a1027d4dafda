// RUN: %host %s %t
// Rows outside of [top, bottom) are zero; there may be none that a window meets.
// CALL: window(40, 70, 3, 10, 20)
// CALL: window(40, 70, 5, 44, 60)
// CALL: window(40, 70, 3, 50, 60)
// CALL: window(40, 70, 3, 20, 10)
void window(const float *in, const float *f, float *out, int H, int W, int K,
            int top, int bottom) {
  int r = K / 2;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float sum = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++)
          if (y + i >= top && y + i < bottom && x + j >= 0 && x + j < W)
            sum += in[(y + i) * W + x + j] * f[(i + r) * K + j + r];
      out[y * W + x] = sum;
    }
}
