// RUN: %host %s %t
// CALL: gradient(2, 3, 4, 20, 33, 3, 3, 1, 1, 2, 3)
// CALL: gradient(1, 2, 3, 17, 20, 5, 3, 4, 0, 1, 2)
// Two dilations, and borders that are left early.
void gradient(const float *dy, const float *f, float *dx, int N, int C, int M,
          int H, int W, int R, int K, int P, int Q, int DY, int DX) {
  int OH = (H + 2 * P - (R - 1) * DY - 1) / 2 + 1,
      OW = (W + 2 * Q - (K - 1) * DX - 1) / 2 + 1;
  for (int n = 0; n < N; ++n)
    for (int c = 0; c < C; ++c)
      for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
          float sum = 0;
          for (int m = 0; m < M; ++m)
            for (int i = 0; i < R; ++i) {
              int u = y + P - i * DY;
              if (u < 0 || u % 2 || u / 2 >= OH)
                continue;
              for (int j = 0; j < K; ++j) {
                int t = x + Q - j * DX;
                if (t < 0 || t % 2 != 0 || t / 2 >= OW)
                  continue;
                sum += dy[((n * M + m) * OH + u / 2) * OW + t / 2] *
                       f[((m * C + c) * R + i) * K + j];
              }
            }
          dx[((n * C + c) * H + y) * W + x] = sum;
        }
}
