// A static method.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: s += x[i + k] * w[k]
struct Math {
  static void conv(const float *x, const float *w, float *y, int n, int m) {
    for (int i = 0; i < n; i++) {
      float s = 0;
      for (int k = 0; k < m; k++)
        s += x[i + k] * w[k];
      y[i] = s;
    }
  }
};
