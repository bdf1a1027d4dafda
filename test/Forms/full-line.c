// A full convolution whose ends are chosen.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for j in max(i - nh + 1, 0) .. min(i + 1, nx) {
void flipped(const float *x, int nx, const float *h, int nh, float *y) {
  for (int i = 0; i < nx + nh - 1; i++) {
    int lo = i >= nh - 1 ? i - (nh - 1) : 0;
    int hi = i < nx ? i : nx - 1;
    float s = 0;
    for (int j = lo; j <= hi; j++)
      s += x[j] * h[i - j];
    y[i] = s;
  }
}
