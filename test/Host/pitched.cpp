// RUN: %host %s %t
// Rows in and out of larger images: what lies between them is not ours.
// CALL: conv(30, 40, 3, 50, 47)
// CALL: conv(33, 64, 5, 70, 64)
void conv(const float *in, const float *f, float *out, int OH, int OW, int K,
          int pitchIn, int pitchOut) {
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(y + i) * pitchIn + x + j] * f[i * K + j];
      out[y * pitchOut + x] = sum;
    }
}
