// A functor.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: s += x[i + j] * w[j]
struct Conv {
  int k;
  const float *w;
  void operator()(const float *x, float *y, int n) const {
    for (int i = 0; i < n; i++) {
      float s = 0;
      for (int j = 0; j < k; j++)
        s += x[i + j] * w[j];
      y[i] = s;
    }
  }
};
