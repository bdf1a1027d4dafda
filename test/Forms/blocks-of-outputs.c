// A loop over blocks that ends where a multiple of its iterator does.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: assume B - 1 >= 0 "what a loop is multiplied by is positive"
// CHECK: for b in 0 .. floordiv(n - 1, B) + 1 {
void blocks(const float *x, const float *h, float *y, int n, int m, int B) {
  for (int b = 0; b * B < n; b++)
    for (int i = 0; i < B; i++) {
      int t = b * B + i;
      if (t >= n)
        break;
      float s = 0;
      for (int k = 0; k < m && k <= t; k++)
        s += h[k] * x[t - k];
      y[t] = s;
    }
}
