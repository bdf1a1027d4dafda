// RUN: %host %s %t
// CALL: conv(2, 3, 4, 20, 33, 3)
// CALL: conv(4, 2, 2, 30, 20, 5)
void conv(const float *in, const float *f, float *out, int G, int ICG, int OCG,
          int H, int W, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int g = 0; g < G; ++g)
    for (int m = 0; m < OCG; ++m)
      for (int y = 0; y < OH; ++y)
        for (int x = 0; x < OW; ++x) {
          float sum = 0;
          for (int c = 0; c < ICG; ++c)
            for (int i = 0; i < K; ++i)
              for (int j = 0; j < K; ++j)
                sum += in[((g * ICG + c) * H + y + i) * W + x + j] *
                       f[(((g * OCG + m) * ICG + c) * K + i) * K + j];
          out[((g * OCG + m) * OH + y) * OW + x] = sum;
        }
}
