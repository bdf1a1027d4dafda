// A method that is defined outside of its class.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: y[i] += x[i + k] * w[k]
namespace nn {
struct Blur {
  int n, m;
  const float *w;
  void run(const float *x, float *y) const;
};

void Blur::run(const float *x, float *y) const {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int k = 0; k < m; k++)
      y[i] += x[i + k] * w[k];
  }
}
}
