// An element that the source reads before it tests whether the value counts is
// one that the naive code touches, also where the front end writes the read in
// the place of the value. What guards keep the source from reading is none.
// RUN: %convopt %s -verify=cpu -shape=n=9,m=4,K=3 -shape=n=4,m=9,K=2 -o %t.cu 2>&1 | FileCheck %s
// CHECK: ok   n=9 m=4 K=3: integer-exact
// CHECK: verified: 2 shapes
void cropped(const float *x, const float *z, float *y, int n, int m, int K) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < K; k++) {
      double v = x[i * K + k];
      if (i >= 2) {
        float u = z[i - 2];
        if (i <= m)
          y[i - 2] += v + u;
      }
    }
}
