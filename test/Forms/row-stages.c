// A pointer to an output row, which loops fill with the bias, add to and activate.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: y[o][i] = b[o]
// CHECK: S1: y[o][i_2] += x[i_2 + j] * w[o][j]
void layer(const float *x, const float *w, const float *b, float *y, int m,
           int n, int k) {
  for (int o = 0; o < m; o++) {
    float *row = &y[o * n];
    for (int i = 0; i < n; i++)
      row[i] = b[o];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < k; j++)
        row[i] += x[i + j] * w[o * k + j];
    for (int i = 0; i < n; i++)
      row[i] = row[i] > 0 ? row[i] : 0;
  }
}
