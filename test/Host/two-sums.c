// RUN: %convopt %s -fassociative-math -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// RUN: not grep '^// Sums keep' %t.cu
// Terms of two statements, which loops of their own add up, keep no order.
// CHECK: verified: {{[0-9]+}} shapes
void add(int n, const float *restrict x, const float *restrict y,
         float *restrict X, float *restrict s) {
  for (int i = 0; i < n; i++) {
    X[i] = x[i] * 2;
    s[0] += x[i];
    s[0] += y[i];
  }
}
