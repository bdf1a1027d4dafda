// RUN: %host %s %t
// CALL: layer(2, 3, 4, 6, 7)
// CALL: layer(1, 5, 9, 33, 20)
// A padded layer in three loops that follow one another: its bias, its sum with
// the channels outermost, and its activation are one kernel.

void layer(int N, int C, int M, int H, int W, const float *x, const float *w,
           const float *bias, float *y) {
  for (int b = 0; b < N; b++)
    for (int m = 0; m < M; m++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          y[((b * M + m) * H + i) * W + j] = bias[m];
  for (int b = 0; b < N; b++)
    for (int c = 0; c < C; c++)
      for (int m = 0; m < M; m++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++)
            for (int p = 0; p < 3; p++)
              for (int q = 0; q < 3; q++) {
                int r = i + p - 1, s = j + q - 1;
                if (r < 0 || r >= H || s < 0 || s >= W)
                  continue;
                y[((b * M + m) * H + i) * W + j] +=
                    x[((b * C + c) * H + r) * W + s] *
                    w[((m * C + c) * 3 + p) * 3 + q];
              }
  for (int b = 0; b < N; b++)
    for (int m = 0; m < M; m++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          if (y[((b * M + m) * H + i) * W + j] < 0)
            y[((b * M + m) * H + i) * W + j] = 0;
}
