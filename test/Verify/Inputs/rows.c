void rows(const float *in, const float *w, float *out, int C, int W, int K) {
  for (int x = 0; x < W - K + 1; ++x) {
    float sum = 0.0f;
    for (int c = 0; c < C; ++c)
      for (int j = 0; j < K; ++j)
        sum += in[c * W + x + j] * w[c * K + j];
    out[x] = sum;
  }
}
