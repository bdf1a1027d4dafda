// One filter for each channel, with zero padding and a stride.

void depthwise(int N, int C, int H, int W, int K, int OH, int OW, int stride,
               int pad, const float x[N][C][H][W], const float w[C][K][K],
               float y[N][C][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int oy = 0; oy < OH; oy++)
        for (int ox = 0; ox < OW; ox++) {
          float sum = 0.0f;
          for (int r = 0; r < K; r++)
            for (int s = 0; s < K; s++) {
              int iy = oy * stride + r - pad;
              int ix = ox * stride + s - pad;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                sum += x[n][c][iy][ix] * w[c][r][s];
            }
          y[n][c][oy][ox] = sum;
        }
}
