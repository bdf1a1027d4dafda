// RUN: %host %s %t
// CALL: conv(12, 14, 33, 3)
// CALL: conv(9, 17, 20, 5)
void conv(const float *in, const float *f, float *out, int D, int H, int W,
          int K) {
  int OD = D - K + 1, OH = H - K + 1, OW = W - K + 1;
  for (int z = 0; z < OD; ++z)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x) {
        float sum = 0;
        for (int k = 0; k < K; ++k)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j)
              sum += in[((z + k) * H + y + i) * W + x + j] *
                     f[(k * K + i) * K + j];
        out[(z * OH + y) * OW + x] = sum;
      }
}
