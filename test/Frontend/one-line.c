// The reason is that of the loops where the function stands on one line, too.
//
// RUN: %status 1 %convopt %s -o %t.cu 2>&1 | FileCheck %s
// CHECK: one-line.c:[[#@LINE+3]]:182: error: 'i' is set by these loops and read after them [loop-value]
// CHECK-NOT: error
// clang-format off
int conv(const float *x, const float *w, float *y, int n, int m) { int i = 0; while (i < n) { float s = 0; for (int j = 0; j < m; j++) s += x[i + j] * w[j]; y[i] = s; i++; } return i; }
