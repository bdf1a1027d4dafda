// A padding that is an argument beside a filter whose width is another.
void offset(const float *in, const float *w, float *out, int H, int W, int K,
            int P) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          if (y + i - P >= 0 && y + i - P < H && x + j - P >= 0 &&
              x + j - P < W)
            sum += in[(y + i - P) * W + x + j - P] * w[i * K + j];
      out[y * W + x] = sum;
    }
}
