// RUN: %host %s %t
// CALL: deconv(4, 17, 20, 3)
// CALL: deconv(2, 20, 33, 4)
void deconv(const float *in, const float *f, float *out, int C, int H, int W,
            int K) {
  int OH = 2 * H, OW = 2 * W;
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float sum = 0;
      for (int c = 0; c < C; ++c)
        for (int i = 0; i < K; ++i)
          for (int j = 0; j < K; ++j)
            if (y - i >= 0 && x - j >= 0 && (y - i) % 2 == 0 &&
                (x - j) % 2 == 0)
              sum += in[(c * H + (y - i) / 2) * W + (x - j) / 2] *
                     f[(c * K + i) * K + j];
      out[y * OW + x] = sum;
    }
}
