// A layer whose channels lie next to one another, with strides, zero padding
// and dilation.

void layer_nhwc(int N, int H, int W, int C, int K, int R, int S, int OH, int OW,
                int stride, int pad, int dilation, const float x[N][H][W][C],
                const float w[R][S][C][K], float y[N][OH][OW][K]) {
  for (int n = 0; n < N; n++)
    for (int oy = 0; oy < OH; oy++)
      for (int ox = 0; ox < OW; ox++)
        for (int k = 0; k < K; k++) {
          float sum = 0.0f;
          for (int r = 0; r < R; r++)
            for (int s = 0; s < S; s++) {
              int iy = oy * stride - pad + r * dilation;
              int ix = ox * stride - pad + s * dilation;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                for (int c = 0; c < C; c++)
                  sum += x[n][iy][ix][c] * w[r][s][c][k];
            }
          y[n][oy][ox][k] = sum;
        }
}
