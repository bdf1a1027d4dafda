// Sizes in vectors that nothing but constants subscripts: each is a parameter.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <vector>

// CHECK: argument stride_0 "int @" param from "stride[0]"
// CHECK: argument pad_1 "int @" param from "pad[1]"
// CHECK: S1: s += x_data[o * stride_0 + k * dil_0 - pad_1] * w_data[k]
void conv(const std::vector<float> &x, const std::vector<float> &w,
          std::vector<float> &y, int n, int m, int oh,
          const std::vector<int> &stride, const std::vector<int> &pad,
          const std::vector<int> &dil) {
  for (int o = 0; o < oh; o++) {
    float s = 0;
    for (int k = 0; k < m; k++) {
      int ih = o * stride[0] - pad[1] + k * dil[0];
      if (ih >= 0 && ih < n)
        s += x[ih] * w[k];
    }
    y[o] = s;
  }
}
