// Refused: an output that is one of two arrays.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+8]]:5: error: one of several arrays is chosen here [pointer-choice]
// CHECK: note: write 'if (...) ... else ...' with a statement for each array, or pass the one that is to be used
void conv(const float *x, const float *w, float *a, float *b, int n, int m,
          int which) {
  for (int i = 0; i < n; i++) {
    float *y = which ? a : b, s = 0;
    for (int k = 0; k < m; k++)
      s += x[i + k] * w[k];
    y[i] = s;
  }
}
