void centred(const unsigned char *in, int pitch, const float *w, float *out,
             int H, int W, int K) {
  int anchor = K / 2;
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0.0f;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) {
          int row = y + i - anchor, column = x + j - anchor;
          if (row >= 0 && row < H && column >= 0 && column < W)
            sum += w[i * K + j] * in[row * pitch + column];
        }
      out[y * W + x] = sum;
    }
}
