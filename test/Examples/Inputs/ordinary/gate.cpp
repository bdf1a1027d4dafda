// A gate of a recurrent network: convolutions of its input and of its state,
// added.

void gate(const float *x, const float *h, const float *wx, const float *wh,
          const float *b, float *g, int Cx, int Ch, int M, int H, int W,
          int K) {
  const int P = K / 2;
  for (int m = 0; m < M; ++m)
    for (int i = 0; i < H; ++i)
      for (int j = 0; j < W; ++j) {
        float s = b[m];
        for (int c = 0; c < Cx; ++c)
          for (int u = 0; u < K; ++u)
            for (int v = 0; v < K; ++v) {
              int yy = i + u - P, xx = j + v - P;
              if (yy < 0 || xx < 0 || yy >= H || xx >= W)
                continue;
              s += x[(c * H + yy) * W + xx] *
                   wx[((m * Cx + c) * K + u) * K + v];
            }
        for (int c = 0; c < Ch; ++c)
          for (int u = 0; u < K; ++u)
            for (int v = 0; v < K; ++v) {
              int yy = i + u - P, xx = j + v - P;
              if (yy < 0 || xx < 0 || yy >= H || xx >= W)
                continue;
              s += h[(c * H + yy) * W + xx] *
                   wh[((m * Ch + c) * K + u) * K + v];
            }
        g[(m * H + i) * W + j] = s;
      }
}
