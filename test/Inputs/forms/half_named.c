void conv(const float *in, const float *w, float *out, int C, int H, int W,
          int O, int K) {
  int HW = H * W, KK = K * K;
  for (int o = 0; o < O; o++)
    for (int y = 0; y < H - K + 1; y++)
      for (int x = 0; x < W - K + 1; x++) {
        out[o * (H - K + 1) * (W - K + 1) + y * (W - K + 1) + x] = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              out[o * (H - K + 1) * (W - K + 1) + y * (W - K + 1) + x] +=
                  in[c * HW + (y + i) * W + x + j] *
                  w[o * C * KK + c * KK + i * K + j];
      }
}
