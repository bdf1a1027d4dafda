// RUN: %host %s %t
// A depthwise layer whose outputs have a row length of their own.
// CALL: depthwise(20, 23, 5, 2, 10, 3)
// CALL: depthwise(9, 8, 3, 4, 15, 5)
void depthwise(const float *in, const float *f, float *out, int H, int W, int C,
               int mult, int D, int K) {
  for (int y = 0; y < H - K + 1; y++)
    for (int x = 0; x < W - K + 1; x++)
      for (int c = 0; c < C; c++)
        for (int m = 0; m < mult; m++) {
          float s = 0;
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              s += in[((y + i) * W + x + j) * C + c] *
                   f[(i * K + j) * D + c * mult + m];
          out[(y * (W - K + 1) + x) * D + c * mult + m] = s;
        }
}
