// A causal filter that adds into its output.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: y[i] = 0.0
// CHECK: S1: y[i] += h[j] * x[i - j]
void fir(const double *x, const double *h, double *y, int n, int taps) {
  int i, j;
  for (i = 0; i < n; i++) {
    y[i] = 0.0;
    for (j = 0; j < taps; j++) {
      if (i - j >= 0)
        y[i] += h[j] * x[i - j];
    }
  }
}
