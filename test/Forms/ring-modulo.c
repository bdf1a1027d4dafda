// A ring, by the remainder of the index.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: array x: double[n] input border(wrap)
// CHECK: assume n - m + 1 >= 0 "a window is no wider than what it goes around"
// CHECK: S1: s += guarded(n - i - k - 1 >= 0, x[i + k], border) * h[k]
void ring(const double *x, const double *h, double *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < m; k++)
      s += x[(i + k) % n] * h[k];
    y[i] = s;
  }
}
