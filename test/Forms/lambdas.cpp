// Local lambdas for elements and padding.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <algorithm>

// CHECK: S1: acc += guarded({{.*}}, x[c][i + p - pad][j + q - pad], 0.0f) * w[o][c][p][q]
// CHECK: S2: y[o][i][j] = {{.*}}acc
void conv(const float *x, const float *w, float *y, int C, int H, int W, int O,
          int K, int pad) {
  const auto out = [=](int n) { return n + 2 * pad - K + 1; };
  const int OH = out(H), OW = out(W);
  const auto load = [&](int c, int i, int j) {
    const bool inside = i >= 0 && i < H && j >= 0 && j < W;
    return inside ? x[(c * H + i) * W + j] : 0.0f;
  };
  for (int o = 0; o < O; ++o)
    for (int i = 0; i < OH; ++i)
      for (int j = 0; j < OW; ++j) {
        float acc = 0.0f;
        for (int c = 0; c < C; ++c)
          for (int p = 0; p < K; ++p)
            for (int q = 0; q < K; ++q)
              acc += load(c, i + p - pad, j + q - pad) *
                     w[((o * C + c) * K + p) * K + q];
        y[(o * OH + i) * OW + j] = std::max(acc, 0.0f);
      }
}
