// Sizes in a structure that a list makes and statements change.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
struct Extent {
  int y, x;
};

// CHECK: param n_y: int = H
// CHECK: for y in 0 .. n_y - K + 1
// CHECK: S1: s += in[y + i][x + j] * f[i][j]
void conv(const float *in, const float *f, float *out, int H, int W, int K) {
  struct Extent n = {.x = W, .y = H};
  n.y -= K - 1;
  n.x -= K - 1;
  for (int y = 0; y < n.y; y++)
    for (int x = 0; x < n.x; x++) {
      float s = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[(y + i) * W + x + j] * f[i * K + j];
      out[y * n.x + x] = s;
    }
}
