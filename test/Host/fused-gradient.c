// RUN: %host %s %t
// One loop over the taps of a window that is turned, as in a gradient.
// CALL: gradient(48, 70, 3, 1)
// CALL: gradient(9, 8, 5, 2)
void gradient(const float *dout, const float *w, float *din, int H, int W,
              int K, int pad) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int k = 0; k < K * K; k++) {
        int oy = y + pad - k / K;
        int ox = x + pad - k % K;
        if (oy < 0 || oy >= H || ox < 0 || ox >= W)
          continue;
        s += dout[oy * W + ox] * w[k];
      }
      din[y * W + x] = s;
    }
}
