// A transposed convolution as a sum over what reaches each output.

void transposed(int N, int C, int H, int W, int M, int K, int OH, int OW,
                int pad, const float x[N][C][H][W], const float w[C][M][K][K],
                float y[N][M][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int oy = 0; oy < OH; oy++)
        for (int ox = 0; ox < OW; ox++) {
          float sum = 0.0f;
          for (int c = 0; c < C; c++)
            for (int r = 0; r < K; r++)
              for (int s = 0; s < K; s++) {
                int iy = oy + pad - r;
                int ix = ox + pad - s;
                if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                  sum += x[n][c][iy][ix] * w[c][m][r][s];
              }
          y[n][m][oy][ox] = sum;
        }
}
