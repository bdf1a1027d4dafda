// RUN: %host %s %t
// What never runs would read further in the array that is staged.
// CALL: conv(20, 40)
// CALL: conv(3, 3)
void conv(int H, int W, const float *x, const float *w, float *y) {
  for (int i = 0; i < H - 2; i++)
    for (int j = 0; j < W - 2; j++) {
      float s = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
          if (i + a >= H || j + b >= W) {
            s += x[(i + a + 4) * W + j + b] * w[a * 3 + b];
            continue;
          }
          s += x[(i + a) * W + j + b] * w[a * 3 + b];
        }
      y[i * (W - 2) + j] = s;
    }
}
