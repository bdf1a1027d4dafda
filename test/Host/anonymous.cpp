// RUN: %host %s %t
// CALL: conv(40, 37, 3)
namespace {
void conv(const int *in, const int *f, int *out, int H, int W, int K) {
  for (int y = 0; y < H - K + 1; ++y)
    for (int x = 0; x < W - K + 1; ++x) {
      int sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(y + i) * W + x + j] * f[i * K + j];
      out[y * (W - K + 1) + x] = sum;
    }
}
} // namespace
