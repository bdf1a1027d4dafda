// Sizes in an array and in a std::array.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <array>

// CHECK: argument dims_0 "int @" param from "dims[0]"
// CHECK: argument k_1 "int @" param from "k[1]"
// CHECK: S1: s += x[i + p][j + q] * f[p][q]
void conv(const float *x, const float *f, float *y, const int *dims,
          const std::array<int, 2> &k) {
  const int H = dims[0], W = dims[1];
  for (int i = 0; i < H - k[0] + 1; i++)
    for (int j = 0; j < W - k[1] + 1; j++) {
      float s = 0;
      for (int p = 0; p < k[0]; p++)
        for (int q = 0; q < k[1]; q++)
          s += x[(i + p) * W + j + q] * f[p * k[1] + q];
      y[i * (W - k[1] + 1) + j] = s;
    }
}
