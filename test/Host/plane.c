// RUN: %host %s %t
// Strides named before the loops.
// CALL: conv(3, 33, 40, 3)
// CALL: conv(2, 64, 31, 5)
void conv(const float *in, const float *f, float *out, int C, int H, int W,
          int K) {
  int plane = H * W;
  int OH = H - K + 1, OW = W - K + 1;
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++) {
      float sum = 0;
      for (int c = 0; c < C; c++)
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            sum += in[c * plane + (y + i) * W + x + j] *
                   f[(c * K + i) * K + j];
      out[y * OW + x] = sum;
    }
}
