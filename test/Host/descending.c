// RUN: %host %s %t
// Loops that descend, of a layer with a stride and padding.
// CALL: layer(3, 20, 40, 75, 3, 2, 1)
void layer(const float *in, const float *w, float *out, int C, int M, int H,
           int W, int K, int stride, int pad) {
  const int OH = (H + 2 * pad - K) / stride + 1,
            OW = (W + 2 * pad - K) / stride + 1;
  for (int m = M - 1; m >= 0; m--)
    for (int y = OH - 1; y >= 0; y--)
      for (int x = OW - 1; x >= 0; x--) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int iy = y * stride + i - pad, ix = x * stride + j - pad;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                sum += in[(c * H + iy) * W + ix] * w[((m * C + c) * K + i) * K + j];
            }
        out[(m * OH + y) * OW + x] = sum;
      }
}
