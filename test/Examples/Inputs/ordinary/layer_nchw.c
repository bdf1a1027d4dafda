// A layer of a network with all that layers have: a batch, groups, strides,
// zero padding and dilation, all known at run time only.

void layer_nchw(int N, int G, int C, int H, int W, int K, int R, int S, int OH,
                int OW, int stride, int pad, int dilation,
                const float x[N][G][C][H][W], const float w[G][K][C][R][S],
                float y[N][G][K][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++)
      for (int k = 0; k < K; k++)
        for (int oy = 0; oy < OH; oy++)
          for (int ox = 0; ox < OW; ox++) {
            float sum = 0.0f;
            for (int c = 0; c < C; c++)
              for (int r = 0; r < R; r++)
                for (int s = 0; s < S; s++) {
                  const int iy = oy * stride - pad + r * dilation;
                  const int ix = ox * stride - pad + s * dilation;
                  if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                    sum += x[n][g][c][iy][ix] * w[g][k][c][r][s];
                }
            y[n][g][k][oy][ox] = sum;
          }
}
