// RUN: %host %s %t
// Rows are as long as the image is wide, and columns have a stride: for all but
// 1 they overlap, which does not matter to what is read.
// CALL: conv(20, 33, 3, 1)
// CALL: conv(20, 33, 3, 2)
// CALL: conv(20, 33, 5, 700)
void conv(const float *in, const float *f, float *out, int H, int W, int K,
          int P) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(y + i) * W + (x + j) * P] * f[i * K + j];
      out[y * W + x] = sum;
    }
}
