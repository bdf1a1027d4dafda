// RUN: %host %s %t
// CALL: chan(9, 13, 3, 3, 1)
void chan(const float *in, const float *f, float *out, int H, int W, int K,
          int C, int c) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0.0f;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[((y + i) * (W + K - 1) + x + j) * C + c] * f[i * K + j];
      out[(y * W + x) * C + c] = s;
    }
}
