void conv(const float *in, const float *w, float *out, int H, int W, int C,
          int O, int K) {
  int rowStride = W * C;
  int OH = H - K + 1, OW = W - K + 1;
  int outRow = OW * O;
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++)
      for (int o = 0; o < O; o++) {
        float s = 0;
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            for (int c = 0; c < C; c++)
              s += in[(y + i) * rowStride + (x + j) * C + c] *
                   w[((i * K + j) * C + c) * O + o];
        out[y * outRow + x * O + o] = s;
      }
}
