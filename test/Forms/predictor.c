// What is left of a signal after a prediction is subtracted, in integers.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: v = x[t + order] * 4096
// CHECK: S1: v -= a[order - k - 1] * x[t + k]
#include <stdint.h>
void residual(const int16_t *restrict x, const int16_t *restrict a,
              int32_t *restrict e, int n, int order) {
  for (int t = 0; t < n; ++t) {
    int32_t v = x[t + order] * 4096;
    for (int k = order; k > 0; --k)
      v -= a[k - 1] * x[t + order - k];
    e[t] = v >> 12;
  }
}
