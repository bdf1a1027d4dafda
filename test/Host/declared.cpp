// RUN: %host %s %t
// CALL: conv()
constexpr int H = 40, W = 50, K = 5;
void conv(const float (*in)[W], const float (*f)[K],
          float (*out)[W - K + 1]) {
  for (int y = 0; y <= H - K; ++y)
    for (int x = 0; x <= W - K; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[y + i][x + j] * f[i][j];
      out[y][x] = sum;
    }
}
