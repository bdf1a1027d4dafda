// Refused: a pointer to one of two arrays.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+5]]:22: error: one of several arrays is chosen here
// CHECK: note: write 'if (...) ... else ...' with a statement for each array, or pass the one that is to be used
void conv(const float *x, const float *a, const float *b, float *y, int n, int m,
          int which) {
  for (int i = 0; i < n; i++) {
    const float *w = which ? a : b;
    float s = 0;
    for (int k = 0; k < m; k++)
      s += x[i + k] * w[k];
    y[i] = s;
  }
}
