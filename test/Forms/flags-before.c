// Padding and input that flags choose before the loops.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S0: y[i] += x[i + k - pad] * w[k]
void filter(const float *left, const float *right, const float *w, float *y,
            int n, int m, int same, int side) {
  const int pad = same ? m / 2 : 0;
  const float *x = side ? right : left;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      if (i + k >= pad && i + k - pad < n)
        y[i] += x[i + k - pad] * w[k];
}
