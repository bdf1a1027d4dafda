void conv(const float *in, const float *w, float *out, int C, int O, int H,
          int W, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int o = 0; o < O; o++)
    for (int p = 0; p < OH * OW; p++) {
      int y = p / OW, x = p % OW;
      float s = 0;
      for (int c = 0; c < C; c++)
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            s += in[(c * H + y + i) * W + x + j] *
                 w[((o * C + c) * K + i) * K + j];
      out[o * OH * OW + p] = s;
    }
}
