void lines(const float *in, const float *w, float *out, int H, int W, int R) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0.0f;
      for (int j = -R; j <= R; ++j)
        if (x + j >= 0 && x + j < W)
          sum += in[y * W + x + j] * w[j + R];
      out[y * W + x] = sum;
    }
}
