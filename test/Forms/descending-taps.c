// Outputs from the last to the first, and taps with an iterator of their own.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: acc += x[n + taps - i - j - 2] * h[j]
// CHECK: S2: y[n - i - 1] = acc
void fir(const float *x, const float *h, float *y, int n, int taps) {
  int i, j, k;
  for (i = n - 1; i >= 0; i--) {
    float acc = 0.0f;
    for (j = 0, k = taps - 1; j < taps; j++, k--)
      acc += x[i + k] * h[j];
    y[i] = acc;
  }
}
