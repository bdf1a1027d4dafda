void largest(const float *x, float *y, int C, int H, int W, int K) {
  for (int c = 0; c < C; c++)
    for (int i = 0; i < H - K + 1; i++)
      for (int j = 0; j < W - K + 1; j++) {
        float most = -3e38f;
        for (int u = 0; u < K; u++)
          for (int v = 0; v < K; v++)
            most = x[(c * H + i + u) * W + j + v] > most
                       ? x[(c * H + i + u) * W + j + v]
                       : most;
        y[(c * (H - K + 1) + i) * (W - K + 1) + j] = most;
      }
}
