// RUN: %host %s %t
// CALL: conv<float, 5>(40, 37)
// CALL: conv<double, 3>(33, 64)
template <class T, int K>
void conv(const T *in, const T *f, T *out, int H, int W) {
  for (int y = 0; y <= H - K; ++y)
    for (int x = 0; x <= W - K; ++x) {
      T sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(y + i) * W + x + j] * f[i * K + j];
      out[y * (W - K + 1) + x] = sum;
    }
}
