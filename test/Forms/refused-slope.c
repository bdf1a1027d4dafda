// Refused: slopes that are read only where data say so.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+9]]:{{[0-9]+}}: error: 'slope' is read only under a condition within an expression
// CHECK: note: read it into a variable before
void prelu(const float *x, const float *w, const float *slope, float *y, int o,
           int n, int m) {
  for (int c = 0; c < o; c++)
    for (int i = 0; i < n; i++) {
      float sum = 0;
      for (int k = 0; k < m; k++)
        sum += x[i + k] * w[c * m + k];
      if (sum < 0) sum *= slope[c];
      y[c * n + i] = sum;
    }
}
