// A line that goes on periodically, by two statements.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: array x: double[n] input border(wrap)
// CHECK: S{{[0-9]+}}: s += guarded({{.*}}, x[i + j - r], border) * w[j]
void periodic(const double *x, const double *w, double *y, int n, int m) {
  int r = m / 2, i, j, at;
  for (i = 0; i < n; i++) {
    double s = 0.0;
    for (j = 0; j < m; j++) {
      at = i + j - r;
      if (at < 0)
        at += n;
      else if (at >= n)
        at -= n;
      s += x[at] * w[j];
    }
    y[i] = s;
  }
}
