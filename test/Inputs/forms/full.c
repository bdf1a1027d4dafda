void full(const float *in, const float *w, float *out, int H, int W, int K) {
  int OH = H + K - 1, OW = W + K - 1;
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++) {
      float s = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          if (y - i >= 0 && y - i < H && x - j >= 0 && x - j < W)
            s += in[(y - i) * W + x - j] * w[i * K + j];
      out[y * OW + x] = s;
    }
}
