#include <cstddef>
void sized(const float *in, const float *w, float *out, size_t H, size_t W,
           size_t K) {
  for (size_t y = 0; y < H; ++y)
    for (size_t x = 0; x < W; ++x) {
      float sum = 0;
      for (size_t j = 0; j < K; ++j)
        sum += in[y * (W + K - 1) + x + j] * w[j];
      out[y * W + x] = sum;
    }
}
