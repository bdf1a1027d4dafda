// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %host %s %t
// A periodic grid: remainders are a border, and read as one.
// CHECK: array u: float[H][W] input border(wrap, wrap)
// CHECK: guarded(y + i - 1 >= 0 and H - y - i >= 0 and x + j - 1 >= 0 and W - x - j >= 0, u[y + i - 1][x + j - 1], border)
// CALL: smooth(40, 70)
// CALL: smooth(1, 3)
// CALL: smooth(2, 1)
void smooth(const float *u, const float *w, float *v, int H, int W) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          s += w[i * 3 + j] *
               u[(y + i - 1 + H) % H * W + (x + j - 1 + W) % W];
      v[y * W + x] = s;
    }
}
