void conv(const float *in, const float *w, float *out, int C, int H, int W,
          int O, int K, int S, int D) {
  int OH = (H - D * (K - 1) - 1) / S + 1, OW = (W - D * (K - 1) - 1) / S + 1;
  for (int o = 0; o < O; o++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              s += in[(c * H + y * S + i * D) * W + x * S + j * D] *
                   w[((o * C + c) * K + i) * K + j];
        out[(o * OH + y) * OW + x] = s;
      }
}
