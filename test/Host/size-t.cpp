// RUN: %host %s %t
// CALL: conv(40, 37, 3)
// CALL: conv(32, 64, 5)
#include <cstddef>
void conv(const float *in, const float *f, float *out, std::size_t H,
          std::size_t W, std::size_t K) {
  for (std::size_t y = 0; y <= H - K; ++y)
    for (std::size_t x = 0; x <= W - K; ++x) {
      float sum = 0;
      for (std::size_t i = 0; i < K; ++i)
        for (std::size_t j = 0; j < K; ++j)
          sum += in[(y + i) * W + x + j] * f[i * K + j];
      out[y * (W - K + 1) + x] = sum;
    }
}
