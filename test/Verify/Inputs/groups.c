void groups(const float *in, const float *w, float *out, int C, int M, int W,
            int K, int G) {
  for (int m = 0; m < M; ++m) {
    int g = m / (M / G);
    for (int x = 0; x < W - K + 1; ++x) {
      float sum = 0.0f;
      for (int c = 0; c < C / G; ++c)
        for (int j = 0; j < K; ++j)
          sum += in[(g * (C / G) + c) * W + x + j] * w[(m * (C / G) + c) * K + j];
      out[m * (W - K + 1) + x] = sum;
    }
  }
}
