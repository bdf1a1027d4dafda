// RUN: %host %s %t
// One loop over the taps of a window, under the guard of a padded image.
// CALL: same(48, 70, 3, 1)
// CALL: same(9, 8, 5, 4)
void same(const float *in, const float *w, float *out, int H, int W, int K,
          int pad) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int k = 0; k < K * K; k++) {
        int iy = y - pad + k / K;
        int ix = x - pad + k % K;
        if (iy >= 0 && iy < H && ix >= 0 && ix < W)
          s += in[iy * W + ix] * w[k];
      }
      out[y * W + x] = s;
    }
}
