void conv(const float *in, const float *w, float *out, int G, int OCG, int ICG,
          int H, int W, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int g = 0; g < G; g++)
    for (int m = 0; m < OCG; m++)
      for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++) {
          float s = 0;
          for (int c = 0; c < ICG; c++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++)
                s += in[((g * ICG + c) * H + y + i) * W + x + j] *
                     w[(((g * OCG + m) * ICG + c) * K + i) * K + j];
          out[((g * OCG + m) * OH + y) * OW + x] = s;
        }
}
