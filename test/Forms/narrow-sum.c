// A sum that wraps as the elements do, and one that is cut off after each term.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: array total: short local
// CHECK: array cut: int local
#include <stdint.h>
void sums(const int16_t *x, const int16_t *w, const float *f, int16_t *y,
          uint8_t *z, int n, int k) {
  for (int i = 0; i < n; i++) {
    int16_t total = 0;
    int cut = 0;
    for (int j = 0; j < k; j++) {
      total += x[i + j] * w[j];
      cut += x[i + j] * f[j];
    }
    y[i] = total;
    z[i] = cut;
  }
}
