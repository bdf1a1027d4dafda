// Borders by two modes, one of which goes on from within its branch.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument compare{{[d0-9]+}} "int @" param
// CHECK: argument compare{{[d0-9]+}} "int @" param
#include <string.h>
void layer(const float *x, const float *w, float *y, int n, int m, const char *act, const char *pad) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) {
      int p = i + j - m / 2;
      if (!strcmp(pad, "zero")) { if (p < 0 || p >= n) continue; }
      else { if (p < 0) p = 0; if (p >= n) p = n - 1; }
      s += x[p] * w[j];
    }
    if (strcmp(act, "relu") == 0) y[i] = s > 0 ? s : 0;
    else if (strcmp(act, "leaky") == 0) y[i] = s > 0 ? s : 0.1f * s;
    else y[i] = s;
  }
}
