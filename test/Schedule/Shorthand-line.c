// Values by position of a nest that has one parallel loop are that loop's.
// RUN: %convopt %s -tile=64 -reg=8 -emit=schedule | FileCheck %s
// RUN: %convopt %s -tile=64 -reg=i:8 -emit=schedule | FileCheck %s
// RUN: %refuses 1 %s -tile=64 -reg=8,2 | FileCheck --check-prefix=TWO %s
// CHECK: register-tile=i_r
// TWO: error: -reg=8,2 has 2 values, the nest takes 1: i [usage]
void filter(const float *x, const float *w, float *y, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < 5; j++)
      s += x[i + j] * w[j];
    y[i] = s;
  }
}
