void conv(const float *in, const float *w, float *out, int M, int C, int G,
          int H, int W, int R) {
  int OH = H - R + 1, OW = W - R + 1;
  int CG = C / G;
  for (int k = 0; k < M; k++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        int g = k / (M / G);
        for (int c = 0; c < CG; c++)
          for (int i = 0; i < R; i++)
            for (int j = 0; j < R; j++)
              s += in[((g * CG + c) * H + y + i) * W + x + j] *
                   w[((k * CG + c) * R + i) * R + j];
        out[(k * OH + y) * OW + x] = s;
      }
}
