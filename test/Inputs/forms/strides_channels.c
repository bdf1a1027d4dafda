void conv(const float *in, const float *w, float *out, int C, int H, int W,
          int O, int OH, int OW, int K, int SY, int SX) {
  for (int o = 0; o < O; o++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              s += in[c * H * W + (y * SY + i) * W + x * SX + j] *
                   w[((o * C + c) * K + i) * K + j];
        out[(o * OH + y) * OW + x] = s;
      }
}
