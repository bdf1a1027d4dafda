// RUN: %host %s %t
// Loops go beyond what a guard with a stride lets run: the image has the rows
// that the guard compares with.
// CALL: conv(70, 64, 60, 60, 3, 1)
// CALL: conv(40, 44, 70, 90, 5, 2)
void conv(const float *in, const float *f, float *out, int H, int W, int OH,
          int OW, int K, int S) {
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      if (y * S + K <= H && x * S + K <= W) {
        float s = 0;
        for (int i = 0; i < K; ++i)
          for (int j = 0; j < K; ++j)
            s += in[(y * S + i) * W + x * S + j] * f[i * K + j];
        out[y * OW + x] = s;
      }
    }
}
