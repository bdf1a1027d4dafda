// The activation is a string, compared before the loops.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <string.h>

// CHECK: nest layer_nest
// CHECK: argument relu "int @" param
// CHECK: acc = (acc < 0 ? (float)(0) : acc)
int layer(const float *x, const float *w, const float *b, float *y, int rows,
          int n, int k, const char *activation) {
  int r, i, j;
  int relu = strcmp(activation, "relu") == 0;
  if (k <= 0)
    return -1;
  for (r = 0; r < rows; r++)
    for (i = 0; i < n - k + 1; i++) {
      float acc = b[r];
      for (j = 0; j < k; j++)
        acc += x[r * n + i + j] * w[j];
      if (relu == 1)
        if (acc < 0)
          acc = 0;
      y[r * (n - k + 1) + i] = acc;
    }
  return 0;
}
