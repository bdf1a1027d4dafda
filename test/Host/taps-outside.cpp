// RUN: %host %s %t
// Where all taps lie in the padding nothing is read of the image either.
// CALL: conv(30, 17, 6, 3, 2, 3, 30, 17, 1, 1)
// CALL: conv(3, 4, 5, 5, 1, 2, 1, 2, 2, 5)
void conv(const float *x, const float *f, float *y, int H, int W, int depth,
          int C, int G, int K, int OH, int OW, int P, int D) {
  for (int r = 0; r < OH; ++r)
    for (int c = 0; c < OW; ++c)
      for (int g = 0; g < G; ++g) {
        float total = 0;
        for (int i = 0; i < K; ++i)
          for (int j = 0; j < K; ++j) {
            const int v = r - P + D * i, u = c - P + D * j;
            if (u < 0 || u >= W || v < 0 || v >= H)
              continue;
            for (int k = 0; k < C; ++k)
              total += x[(v * W + u) * depth + g * C + k] *
                       f[((g * K + i) * K + j) * C + k];
          }
        y[(r * OW + c) * G + g] = total;
      }
}
