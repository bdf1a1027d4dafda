// Refused: elements that have no type before they are converted.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+3]]:{{[0-9]+}}: error: pointer 'in' may alias: it leads to void, which has no elements [alias]
// CHECK: note: take a pointer to the elements, such as 'const float *'
void conv(const void *in, const float *w, float *out, int n, int k) {
  const float *x = (const float *)in;
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < k; j++)
      s += x[i + j] * w[j];
    out[i] = s;
  }
}
