// RUN: %host %s %t
// The last taps of a filter with steps are of outputs before the first one.
// CALL: gradient(20, 33, 3, 3, 10, 17, 1, 1, 2)
// CALL: gradient(20, 33, 3, 5, 18, 30, 2, 2, 1)
// CALL: gradient(22, 33, 3, 5, 9, 12, 0, 3, 3)
void gradient(const float *dy, const float *f, float *dx, int H, int W, int R,
              int K, int OH, int OW, int P, int D, int S) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0;
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < K; ++j) {
          int u = y + P - i * D, t = x + P - j * D;
          if (u >= 0 && u % S == 0 && u / S < OH && t >= 0 && t % S == 0 &&
              t / S < OW)
            sum += dy[(u / S) * OW + t / S] * f[i * K + j];
        }
      dx[y * W + x] = sum;
    }
}
