void conv(const float *in, const float *w, float *out, int C, int mult, int H,
          int W, int R) {
  int OH = H - R + 1, OW = W - R + 1;
  for (int k = 0; k < C * mult; k++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int i = 0; i < R; i++)
          for (int j = 0; j < R; j++)
            s += in[((k / mult) * H + y + i) * W + x + j] *
                 w[(k * R + i) * R + j];
        out[(k * OH + y) * OW + x] = s;
      }
}
