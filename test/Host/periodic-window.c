// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %host %s %t
// A window of any width around a torus.
// CHECK: array u: float[H][W] input border(wrap, wrap)
// CHECK: assume H - r >= 0 "a window is no wider than what it goes around"
// CHECK: assume W - r >= 0 "a window is no wider than what it goes around"
// CHECK: guarded(y + i >= 0 and H - y - i - 1 >= 0 and x + j >= 0 and W - x - j - 1 >= 0, u[y + i][x + j], border)
// CALL: torus(40, 70, 3)
// CALL: torus(9, 12, 9)
// CALL: torus(5, 4, 0)
void torus(const float *u, const float *w, float *v, int H, int W, int r) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          int column = (x + j) % W;
          if (column < 0)
            column += W;
          s += w[(i + r) * (2 * r + 1) + j + r] *
               u[((y + i) % H + H) % H * W + column];
        }
      v[y * W + x] = s;
    }
}
