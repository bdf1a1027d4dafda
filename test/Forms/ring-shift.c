// A ring, whose index is moved back where it is negative.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: array x: double[n] input border(wrap)
// CHECK: S1: y[i] += guarded(i - k >= 0, x[i - k], border) * h[k]
void ring(const double *x, const double *h, double *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int k = 0; k < m; k++) {
      int j = i - k;
      if (j < 0)
        j += n;
      y[i] += x[j] * h[k];
    }
  }
}
