// RUN: %host %s %t
// Without padding nothing is read beyond the edge.
// CALL: conv(20, 40)
// CALL: conv(3, 33)
#define PAD 0
void conv(int H, int W, const float *x, const float *w, const float *edge,
          float *y) {
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      float s = 0;
      for (int k = 0; k < 3; k++) {
        if (j + k - PAD < 0)
          s += edge[i] * w[k];
        else
          s += x[i * (W + 2) + j + k - PAD] * w[k];
      }
      y[i * W + j] = s;
    }
}
