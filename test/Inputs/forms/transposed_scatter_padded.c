void deconv(const float *in, const float *w, float *out, int C, int O, int H,
            int W, int K, int S, int pad) {
  int OH = (H - 1) * S - 2 * pad + K, OW = (W - 1) * S - 2 * pad + K;
  for (int o = 0; o < O; o++)
    for (int c = 0; c < C; c++)
      for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int oy = y * S - pad + i, ox = x * S - pad + j;
              if (oy >= 0 && oy < OH && ox >= 0 && ox < OW)
                out[(o * OH + oy) * OW + ox] +=
                    in[(c * H + y) * W + x] * w[((c * O + o) * K + i) * K + j];
            }
}
