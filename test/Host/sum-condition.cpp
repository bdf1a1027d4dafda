// RUN: %host %s %t
// Conditions of loops that hold the iterator in a sum.
// CALL: conv(40, 50, 3)
// CALL: conv(33, 70, 5)
#include <cstddef>
void conv(const float *in, const float *f, float *out, int H, size_t W,
          size_t K) {
  for (int y = 0; y + (int)K <= H; ++y)
    for (size_t x = 0; x + K - 1 < W; ++x) {
      float sum = 0;
      for (size_t i = 0; i < K; ++i)
        for (size_t j = 0; j < K; ++j)
          sum += in[y * W + x + i * W + j] * f[i * K + j];
      out[y * W + x] = sum;
    }
}
