// Strides and paddings in arrays, which only an index within the loops uses.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: s += x[o * stride_0 + k * dil_0 - pad_0] * w[k]
void conv(const float *x, const float *w, float *y, int n,
          int m, int oh, const int *stride, const int pad[2], const int *dil) {
  for (int o = 0; o < oh; o++) {
    float s = 0;
    for (int k = 0; k < m; k++) {
      int ih = o * stride[0] - pad[0] + k * dil[0];
      if (ih >= 0 && ih < n)
        s += x[ih] * w[k];
    }
    y[o] = s;
  }
}
