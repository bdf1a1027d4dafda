void gradw(const float *in, const float *dy, float *dw, int C, int O, int H,
           int W, int K, int pad) {
  int OH = H + 2 * pad - K + 1, OW = W + 2 * pad - K + 1;
  for (int o = 0; o < O; o++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          float s = 0;
          for (int y = 0; y < OH; y++)
            for (int x = 0; x < OW; x++) {
              int iy = y + i - pad, ix = x + j - pad;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                s += in[(c * H + iy) * W + ix] * dy[(o * OH + y) * OW + x];
            }
          dw[((o * C + c) * K + i) * K + j] = s;
        }
}
