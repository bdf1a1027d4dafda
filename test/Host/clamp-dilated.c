// RUN: %host %s %t
// A clamped border with a dilation, of which the rows in each case of columns
// are one search.
// CALL: conv(5, 20, 9, 3, 2, 0)
// CALL: conv(3, 12, 17, 2, 3, 2)
void conv(const int *in, const int *f, int *out, int K, int H, int W, int N,
          int C, int P) {
  int OH = (H + 2 * P - 2 * (K - 1) - 1) / 2 + 1,
      OW = (W + 2 * P - 2 * (K - 1) - 1) / 2 + 1;
  for (int n = 0; n < N; n++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        int s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int v = y * 2 + i * 2 - P, u = x * 2 + j * 2 - P;
              v = v < 0 ? 0 : v >= H ? H - 1 : v;
              u = u < 0 ? 0 : u >= W ? W - 1 : u;
              s += in[((n * H + v) * W + u) * C + c] * f[(i * K + j) * C + c];
            }
        out[(n * OH + y) * OW + x] = s;
      }
}
