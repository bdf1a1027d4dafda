// Refused: a string is compared for each output.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+10]]:9: error: an index comes from a call of 'strcmp': its body is not in the program's own files
// CHECK: note: call it before the loops, and use its result in them
#include <string.h>

void conv(const float *x, const float *w, float *y, int n, int m,
          const char *activation) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += x[i + k] * w[k];
    if (strcmp(activation, "relu") == 0)
      s = s > 0 ? s : 0;
    y[i] = s;
  }
}
