// The activation is chosen by an enumeration in a helper.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
typedef enum { LINEAR, RELU, LEAKY } ACTIVATION;

static inline float activate(float x, ACTIVATION a) {
  if (a == RELU)
    return x > 0 ? x : 0;
  if (a == LEAKY)
    return x > 0 ? x : .1f * x;
  return x;
}

// CHECK: param a: unsigned int
// CHECK: S2: y[f][i] = (
void layer(const float *x, const float *w, float *y, int filters, int size,
           int n, ACTIVATION a) {
  int f, i, k;
  for (f = 0; f < filters; ++f) {
    for (i = 0; i < n; ++i) {
      float sum = 0;
      for (k = 0; k < size; ++k)
        sum += x[i + k] * w[f * size + k];
      y[f * n + i] = activate(sum, a);
    }
  }
}
