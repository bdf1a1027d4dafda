// Switches of type bool, and a residual that may be missing.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK: argument has_residual "int @" param from "residual" != 0
// CHECK: if average - 1 >= 0 {
// CHECK: if has_residual - 1 >= 0 {
// CHECK: S4: v = ((bool)index(relu) && v < 0 ? (float)(0) : v)
void depthwise(const float *x, const float *w, const float *residual, float *y,
               int N, int C, int L, int K, bool relu, bool average) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i + K <= L; i++) {
        const int at = (n * C + c) * (L - K + 1) + i;
        float v = 0.f;
        for (int k = 0; k < K; k++)
          v += x[(n * C + c) * L + i + k] * w[c * K + k];
        if (average)
          v /= K;
        if (residual != nullptr)
          v += residual[at];
        if (relu && v < 0)
          v = 0;
        y[at] = v;
      }
}
