void deconv(const float *in, const float *w, float *out, int C, int O, int H,
            int W, int OH, int OW, int K, int S, int pad) {
  for (int o = 0; o < O; o++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int ty = y + pad - i, tx = x + pad - j;
              if (ty % S != 0 || tx % S != 0)
                continue;
              int iy = ty / S, ix = tx / S;
              if (iy < 0 || iy >= H || ix < 0 || ix >= W)
                continue;
              s += in[(c * H + iy) * W + ix] * w[((c * O + o) * K + i) * K + j];
            }
        out[(o * OH + y) * OW + x] = s;
      }
}
