// RUN: %host %s %t -tile=16,4 -reg=2
// A loop that ends where the image does, after rows before it are skipped.
// CALL: depth(30, 33, 16, 3, 2, 1)
// CALL: depth(17, 20, 24, 5, 1, 2)
void depth(const float *in, const float *f, float *out, int H, int W, int C,
           int K, int S, int D) {
  int P = D * ((K - 1) / 2), OH = (H + S - 1) / S, OW = (W + S - 1) / S;
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x)
      for (int c = 0; c < C; ++c) {
        float sum = 0;
        for (int i = 0; i < K; ++i) {
          int v = y * S + i * D - P;
          if (v < 0)
            continue;
          if (v >= H)
            break;
          for (int j = 0; j < K; ++j) {
            int u = x * S + j - K / 2;
            if (u < 0)
              continue;
            if (u > W - 1)
              break;
            sum += in[(v * W + u) * C + c] * f[(i * K + j) * C + c];
          }
        }
        out[(y * OW + x) * C + c] = sum;
      }
}
