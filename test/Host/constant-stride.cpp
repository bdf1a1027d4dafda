// RUN: %host %s %t
// Every second row and column; the last row of the image is not read.
// CALL: conv(41, 66, 3)
// CALL: conv(40, 37, 3)
void conv(const float *in, const float *f, float *out, int H, int W, int K) {
  const int OH = (H - K) / 2 + 1, OW = (W - K) / 2 + 1;
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(2 * y + i) * W + 2 * x + j] * f[i * K + j];
      out[y * OW + x] = sum;
    }
}
