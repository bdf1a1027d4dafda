void deconv(const float *in, const float *w, float *out, int C, int O, int H,
            int W, int K, int S) {
  int OH = (H - 1) * S + K, OW = (W - 1) * S + K;
  for (int o = 0; o < O; o++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              out[(o * OH + y * S + i) * OW + x * S + j] +=
                  in[(c * H + y) * W + x] * w[((c * O + o) * K + i) * K + j];
}
