// Offsets with a first value that are set where the window is inside, and a
// flag in an array of parameters that only a branch asks for.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: argument par_1 "int @" param from "par[1]"
// CHECK: S1: s += x[q][i + k - floordiv(m, 2)] * w[q][k]
void rows(const float *x, const float *w, const float *bias, float *y, int n,
          int m, int c, const int *par) {
  int in = 0, tap = 0, out = 0;
  for (int q = 0; q < c; q++)
    for (int i = 0; i < n; i++) {
      float s = 0;
      for (int k = 0; k < m; k++) {
        int p = i + k - m / 2;
        if (p >= 0 && p < n) {
          in = q * n + p;
          tap = q * m + k;
          s += x[in] * w[tap];
        }
      }
      if (par[1] == 1)
        s += bias[q];
      out = q * n + i;
      y[out] = s;
    }
}
