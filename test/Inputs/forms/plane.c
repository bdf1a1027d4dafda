void conv(const float *in, const float *w, float *out, int C, int H, int W,
          int O, int K) {
  int plane = H * W;
  int OH = H - K + 1, OW = W - K + 1;
  int out_plane = OH * OW;
  for (int o = 0; o < O; o++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              s += in[c * plane + (y + i) * W + x + j] *
                   w[((o * C + c) * K + i) * K + j];
        out[o * out_plane + y * OW + x] = s;
      }
}
