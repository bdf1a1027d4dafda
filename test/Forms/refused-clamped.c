// Refused: borders that repeat the image, as a subscript is clamped.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+9]]:{{[0-9]+}}: error: an index uses 'at', which is the least of several values
// CHECK: note: start or end a loop there; where borders are clamped, pad the image before
static int imin(int a, int b) { return a < b ? a : b; }

void smooth(const float *in, const float *w, float *out, int n, int m) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < m; k++) {
      const int at = imin(i + k, n - 1);
      sum += in[at] * w[k];
    }
    out[i] = sum;
  }
}
