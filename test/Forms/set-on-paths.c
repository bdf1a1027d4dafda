// A variable that is declared before the loops, as C89 asks, and that each
// path of an iteration sets before it is used, is one of the iteration.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: sed 's/else if (c == n - 1)/if (c == n - 1)/' %s > %t.c
// RUN: %refuses 1 %t.c | FileCheck --check-prefix=KEPT %s
// KEPT: error: 'delta' is declared outside of the loops and may keep its value {{.*}} [static]
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK:      for c in 0 .. n {
// CHECK-NEXT:   local delta
// CHECK:        S3: y[r][c] = x[r][c] + delta
void step(const float *x, float *y, int m, int n) {
  float delta;
  int r, c;
  for (r = 0; r < m; r++)
    for (c = 0; c < n; c++) {
      if (c == 0)
        delta = x[r * n + 1];
      else if (c == n - 1) {
        delta = x[r * n + n - 2];
      } else
        delta = x[r * n + c - 1] + x[r * n + c + 1];
      y[r * n + c] = x[r * n + c] + delta;
    }
}
