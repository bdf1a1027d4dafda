// Rows of bytes with a pitch in bytes, as libraries for images have them.
void bytes(const unsigned char *src, int sp, const float *w, unsigned char *dst,
           int dp, int H, int W, int K) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0.5f;
      for (int j = 0; j < K; ++j)
        sum += src[y * sp + x + j] * w[j];
      dst[y * dp + x] = (unsigned char)(int)sum;
    }
}
