// A local lambda that sums, with a loop of its own and macros of the function.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: for o in 0 .. O {
// CHECK: for r in 0 .. K {
// CHECK: S1: sum += x[i * stride + r - pad] * w[o][r]
// CHECK: S2: y[o][i] = bias[o] + sum
void conv(const int *x, const int *w, const int *bias, int *y, int O, int N,
          int n, int K, int stride, int pad) {
#define W(o, r) w[(o)*K + (r)]
#define Y(o, i) y[(o)*n + (i)]
  auto at = [&](int o, int i) {
    int sum = 0;
    for (int r = 0; r < K; ++r) {
      auto from = i * stride + r - pad;
      if (from < 0 || from >= N)
        continue;
      sum += x[from] * W(o, r);
    }
    return sum;
  };
  for (int o = 0; o < O; ++o)
    for (int i = 0; i < n; ++i)
      Y(o, i) = bias[o] + at(o, i);
}
