// The same with sizes that wrap, which the choices keep from it.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for k in max(n - lh + 1, 0) .. min(n + 1, lx) {
#include <stddef.h>
void full(const double x[], size_t lx, const double h[], size_t lh,
          double y[]) {
  for (size_t n = 0; n < lx + lh - 1; n++) {
    size_t kmin = n >= lh - 1 ? n - (lh - 1) : 0;
    size_t kmax = n < lx - 1 ? n : lx - 1;
    y[n] = 0;
    for (size_t k = kmin; k <= kmax; k++)
      y[n] += x[k] * h[n - k];
  }
}
