/* The layer of test/Host/layer-loops.c in one nest. */
void layer(int N, int C, int M, int H, int W, const float *x, const float *w,
           const float *bias, float *y) {
  for (int b = 0; b < N; b++)
    for (int m = 0; m < M; m++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float s = bias[m];
          for (int c = 0; c < C; c++)
            for (int p = 0; p < 3; p++)
              for (int q = 0; q < 3; q++) {
                int r = i + p - 1, t = j + q - 1;
                if (r < 0 || r >= H || t < 0 || t >= W)
                  continue;
                s += x[((b * C + c) * H + r) * W + t] *
                     w[((m * C + c) * 3 + p) * 3 + q];
              }
          y[((b * M + m) * H + i) * W + j] = s < 0 ? 0 : s;
        }
}
