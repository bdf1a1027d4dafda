// RUN: %host %s %t
// Strides of the window known at run time.
// CALL: conv(20, 30, 64, 3, 2, 2)
// CALL: conv(30, 40, 45, 5, 1, 1)
// CALL: conv(20, 21, 70, 3, 1, 3)
void conv(const float *in, const float *f, float *out, int OH, int OW, int W,
          int K, int SY, int SX) {
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(y * SY + i) * W + x * SX + j] * f[i * K + j];
      out[y * OW + x] = sum;
    }
}
