// What reads elements of other iterations waits for all of them, whatever else
// it reads of its own.
//
// RUN: %convopt %s -tile=64 -emit=schedule -function=under | FileCheck %s --implicit-check-not=jam=
// CHECK: map=
// RUN: %convopt %s -emit=nest -function=beside 2>&1 | FileCheck %s --check-prefix=APART
// APART: nest beside_nest
// APART-NOT: S1

void under(const float *x, float *z, float *p, int n, int k) {
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < k; c++)
      z[i * k + c] = x[i * k + c];
    for (int c = 0; c < k; c++)
      p[i * k + c] = z[i * k + c] + z[i * k + (k - 1 - c)];
  }
}

void beside(const float *x, float *z, float *p, int n, int k) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++)
      for (int j = 0; j < 3; j++)
        z[i * k + c] += x[i * k + c + j];
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++)
      p[i * k + c] = z[i * k + c] + z[(n - 1 - i) * k + c];
}
