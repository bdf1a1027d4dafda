// A number beside a comparison in `&` is no condition: of 2 nothing is left.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: error: {{.*}} [data-branch]
void f(const float *x, float *y, int n, int m, int mode) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      if ((i + k < n) & mode)
        y[i] += x[i + k];
}
