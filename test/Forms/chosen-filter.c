// A pointer to one of two filters, which a flag chooses in the loops.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <stdbool.h>

// CHECK:      if which - 1 >= 0 {
// CHECK-NEXT:   S1: chosen = a[o][k]
// CHECK:      if -which >= 0 {
// CHECK-NEXT:   S2: chosen = b[o][k]
// CHECK:      S3: s += x[i + k] * chosen
void conv(const float *x, const float *a, const float *b, float *y, int O,
          int n, int m, bool which) {
  for (int o = 0; o < O; o++)
    for (int i = 0; i < n; i++) {
      const float *all = which ? a : b;
      const float *w = all + o * m;
      float s = 0;
      for (int k = 0; k < m; k++)
        s += x[i + k] * w[k];
      y[o * n + i] = s;
    }
}
