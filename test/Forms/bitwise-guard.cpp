// Borders that are compared by `&` and `|`, which look at both sides.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: sum += w[a][b] * in[y + a - 1][x + b - 1]
void blur(const short *in, const short *w, int *out, int H, int W) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      int sum = 0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const int u = y + a - 1, v = x + b - 1;
          const bool inside = (u >= 0) & (u < H);
          if (inside & !((v < 0) | (v >= W)))
            sum += w[a * 3 + b] * in[u * W + v];
        }
      out[y * W + x] = sum;
    }
}
