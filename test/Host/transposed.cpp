// RUN: %host %s %t
// Transposed: each output gathers, and guards say what is read.
// CALL: deconv(30, 33, 3, 1)
// CALL: deconv(20, 64, 5, 2)
// CALL: deconv(25, 40, 3, 0)
void deconv(const float *in, const float *f, float *out, int H, int W, int K,
            int pad) {
  int OH = H + K - 1 - 2 * pad, OW = W + K - 1 - 2 * pad;
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) {
          int iy = y + pad - i, ix = x + pad - j;
          if (iy >= 0 && iy < H && ix >= 0 && ix < W)
            sum += in[iy * W + ix] * f[i * K + j];
        }
      out[y * OW + x] = sum;
    }
}
