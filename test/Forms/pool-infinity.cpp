// Max and min pooling from infinities, in the spellings of C and C++.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <cmath>
#include <limits>

// CHECK: S0: top = -{{\(+}}float)(INFINITY)
// CHECK: S1: bottom = {{\(+}}float)(INFINITY)
void pool_ranges(const float *in, float *out, int H, int W, int K, int S) {
  const int OH = (H - K) / S + 1, OW = (W - K) / S + 1;
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float top = -INFINITY;
      float bottom = std::numeric_limits<float>::infinity();
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) {
          top = std::fmax(top, in[(y * S + i) * W + x * S + j]);
          bottom = std::fmin(bottom, in[(y * S + i) * W + x * S + j]);
        }
      out[y * OW + x] = top - bottom;
    }
}
