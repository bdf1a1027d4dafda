// Where all that could be taken are fills, the reason is that of other loops.
//
// RUN: %status 1 %convopt %s -o %t.cu 2>&1 | FileCheck %s
// CHECK: only-fills.c:[[@LINE+10]]:21: error: an index depends on data
// RUN: %convopt %s -function=shifted:11 -emit=nest | FileCheck %s --check-prefix=FILL
// FILL: S0: before[i] = index(i) - 1

#include <stdlib.h>
void shifted(int n, const float *x, float *y) {
  int *before = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    before[i] = i - 1;
  for (int i = 1; i < n; i++)
    y[i] = x[i] + x[before[i]];
  free(before);
}
