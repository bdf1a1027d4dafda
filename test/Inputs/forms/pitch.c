void conv(const float *in, const float *w, float *out, int H, int W, int K,
          int ld_in, int ld_out) {
  for (int y = 0; y <= H - K; y++)
    for (int x = 0; x <= W - K; x++) {
      float s = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[(y + i) * ld_in + x + j] * w[i * K + j];
      out[y * ld_out + x] = s;
    }
}
