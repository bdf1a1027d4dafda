// RUN: %host %s %t
// CALL: layer(3, 5, 9, 12)
// CALL: layer(17, 70, 7, 40)
// CALL: layer(1, 1, 4, 4)
// A convolution and a pooling of its map, under one loop over channels: two
// kernels in turn, as an output of the second waits for several of the first.

void layer(int C, int K, int H, int W, const float *in, const float *w,
           float *t, float *out) {
  for (int k = 0; k < K; k++) {
    for (int y = 0; y < H - 2; y++)
      for (int x = 0; x < W - 2; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
              s += in[(c * H + y + i) * W + x + j] *
                   w[((k * C + c) * 3 + i) * 3 + j];
        t[(k * (H - 2) + y) * (W - 2) + x] = s;
      }
    for (int y = 0; y < (H - 2) / 2; y++)
      for (int x = 0; x < (W - 2) / 2; x++) {
        float m = t[(k * (H - 2) + 2 * y) * (W - 2) + 2 * x];
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++) {
            float v = t[(k * (H - 2) + 2 * y + i) * (W - 2) + 2 * x + j];
            if (v > m)
              m = v;
          }
        out[(k * ((H - 2) / 2) + y) * ((W - 2) / 2) + x] = m;
      }
  }
}
