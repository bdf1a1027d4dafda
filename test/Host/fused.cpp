// RUN: %host %s %t
// One loop over all taps.
// CALL: conv(30, 40, 3, 5)
// CALL: conv(33, 64, 5, 3)
void conv(const float *in, const float *f, float *out, int H, int W, int K_h,
          int K_w) {
  int OH = H - K_h + 1, OW = W - K_w + 1;
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float sum = 0;
      for (int k = 0; k < K_h * K_w; ++k)
        sum += in[(y + k / K_w) * W + x + k % K_w] * f[k];
      out[y * OW + x] = sum;
    }
}
