void grad(const float *dy, const float *w, float *dx, int C, int O, int H,
          int W, int K, int pad) {
  int OH = H + 2 * pad - K + 1, OW = W + 2 * pad - K + 1;
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float s = 0;
        for (int o = 0; o < O; o++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int oy = y + pad - i, ox = x + pad - j;
              if (oy >= 0 && oy < OH && ox >= 0 && ox < OW)
                s += dy[(o * OH + oy) * OW + ox] *
                     w[((o * C + c) * K + i) * K + j];
            }
        dx[(c * H + y) * W + x] = s;
      }
}
