// Steps in conditions, before a 'continue', and an iterator after its loop.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: s += x[n + m - i - j - 2] * w[m - j - 1]
// CHECK: S2: s -= x[k + n - i - 2] * w[k]
// CHECK: S3: y[n - i - 1] = s / index(m)
#include <stddef.h>
void steps(const float *x, const float *w, float *y, size_t n, int m) {
  for (size_t i = n; i-- > 0;) {
    float s = 0;
    int j = m, k = -1;
    while (j--)
      s += x[i + j] * w[j];
    while (++k < m) {
      if ((int)i + k < 1)
        continue;
      s -= x[(int)i + k - 1] * w[k];
    }
    y[i] = s / k;
  }
}
