void grad(const float *dy, const float *w, float *dx, int N, int C, int O,
          int H, int W, int K, int pad) {
  int OH = H + 2 * pad - K + 1, OW = W + 2 * pad - K + 1;
  int plane = OH * OW, image = O * plane;
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
          float s = 0;
          for (int o = 0; o < O; o++)
            for (int i = 0; i < K; i++) {
              int oy = y + pad - i;
              if (oy < 0 || oy >= OH)
                continue;
              for (int j = 0; j < K; j++) {
                int ox = x + pad - j;
                if (ox < 0 || ox >= OW)
                  continue;
                s += dy[n * image + o * plane + oy * OW + ox] *
                     w[o * C * K * K + c * K * K + i * K + j];
              }
            }
          dx[((n * C + c) * H + y) * W + x] = s;
        }
}
