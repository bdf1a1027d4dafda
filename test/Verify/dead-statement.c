// A side that never meets the other is no statement of the kernel, and nothing
// that verification looks for.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck --check-prefix=NEST %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shapes on the CPU
// NEST: assume n - 2 >= 0
// NEST-NOT: S0:
// NEST: S1: y[i] = x[i - 1] + x[i]
// NEST: S2: y[i] = x[i - 1] + x[i] + x[i + 1]
// NEST-NOT: x[i - 1]
// NEST: y[i] = x[i] + x[i + 1]
void neighbours(const float *x, const float *w, float *y, int n) {
  for (int i = 0; i < n; i++) {
    if (i == 0 && n == 1)
      y[i] = x[i];
    else if (i == 0)
      y[i] = x[i] + x[i + 1];
    else if (i == n - 1)
      y[i] = x[i - 1] + x[i];
    else
      y[i] = x[i - 1] + x[i] + x[i + 1];
    y[i] += w[n - 2];
  }
}
