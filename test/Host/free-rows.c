// RUN: %host %s %t
// Rows whose lengths are arguments of their own and no multiples of pixels.
// CALL: pixels(33, 70, 4, 310, 287)
// CALL: pixels(12, 50, 3, 150, 151)
void pixels(const float *src, const float *k, float *dst, int h, int w, int cn,
            int step, int dstep) {
  for (int y = 0; y < h - 2; y++)
    for (int x = 0; x < w - 2; x++)
      for (int c = 0; c < cn; c++) {
        float sum = 0;
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            sum += src[(y + i) * step + (x + j) * cn + c] * k[i * 3 + j];
        dst[y * dstep + x * cn + c] = sum;
      }
}
