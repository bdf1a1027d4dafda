// A row that begins at its second element is a box of 17 vectors. Threads go
// through it together though each with a row of its own would take fewer turns:
// these would read a part of each sector of memory.
// RUN: %convopt %s -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s
// CHECK: __shared__ __align__(16) float x_s[4][32][68];
// CHECK: const int x_s_across = Aligned ? {{[0-9]+}} : 8;

void largest(const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    float most = x[i * m];
    for (int j = 1; j < m; j++)
      if (x[i * m + j] > most)
        most = x[i * m + j];
    y[i] = most;
  }
}
