// RUN: %host %s %t
// Each output reads along a window, of inputs that lie apart.
// CALL: window(20, 33, 3, 3, 10, 17, 1, 1, 2)
// CALL: window(20, 33, 3, 5, 18, 30, 2, 2, 1)
void window(const float *in, const float *f, float *out, int H, int W, int R,
            int K, int IH, int IW, int P, int D, int S) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0;
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < K; ++j) {
          int u = y - P + i * D, t = x - P + j * D;
          if (u >= 0 && u % S == 0 && u / S < IH && t >= 0 && t % S == 0 &&
              t / S < IW)
            sum += in[(u / S) * IW + t / S] * f[i * K + j];
        }
      out[y * W + x] = sum;
    }
}
