// Refused: sums of a type that devices do not have.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+6]]:{{[0-9]+}}: error: 's' is of type 'long double', which
// device code does not have CHECK: note: use float or double
void convolve(const double *signal, int n, const double *kernel, int m,
              double *result) {
  int i, j;
  for (i = 0; i < n - m + 1; i++) {
    long double s = 0.0L;
    for (j = 0; j < m; j++)
      s += (long double)signal[i + j] * kernel[m - 1 - j];
    result[i] = (double)s;
  }
}
