// Borders that repeat the image, by helper functions.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: sum += guarded(i + k - r >= 0 and n + r - i - k - 1 >= 0, in[i + k - r], border) * w[k]
// CHECK: S2: out
static int imin(int a, int b) { return a < b ? a : b; }
static int imax(int a, int b) { return a > b ? a : b; }

void smooth(const float *in, const float *w, float *out, int n, int m) {
  const int r = m / 2;
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < m; k++) {
      const int at = imin(imax(i + k - r, 0), n - 1);
      sum += in[at] * w[k];
    }
    out[i] = sum;
  }
}
