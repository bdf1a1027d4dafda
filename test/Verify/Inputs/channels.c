void channels(const float *x, const float *w, float *y, int M, int C, int H,
              int W, int K) {
  const int OH = H - K + 1, OW = W - K + 1;
  for (int m = 0; m < M; m++)
    for (int p = 0; p < OH; p++)
      for (int q = 0; q < OW; q++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int r = 0; r < K; r++)
            for (int t = 0; t < K; t++)
              s += x[(c * H + p + r) * W + q + t] *
                   w[((m * C + c) * K + r) * K + t];
        y[(m * OH + p) * OW + q] = s;
      }
}
