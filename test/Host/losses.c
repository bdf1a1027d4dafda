// Sums whose terms have sums of their own: what rows need is computed by many
// threads, and added up by one, in its order.
// RUN: %convopt %s -function=cross_entropy -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=CROSS
// RUN: %convopt %s -function=mean_square -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=MEAN
// RUN: %convopt %s -function=mean_square -o %t.cu -fassociative-math -verify=cpu 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %convopt %s -function=frobenius -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=NORM
// CROSS: verified: {{[0-9]+}} shapes
// CROSS: cross_entropy_{{.*}}tiled_1: {{.*}} 'x' in shared memory
// CROSS: cross_entropy_{{.*}}tiled_2: {{.*}} 'x' in shared memory
// CROSS: cross_entropy_{{.*}}tiled_3: 32 threads a block
// MEAN: verified: {{[0-9]+}} shapes
// MEAN: mean_square_tiled_1: {{.*}} 'w', 'x' in shared memory
// MEAN: mean_square_tiled_2: {{.*}} 's', 'y' in shared memory
// SHARED: verified: {{[0-9]+}} shapes
// SHARED: mean_square_tiled_2: {{.*}} threads a sum
// NORM: verified: {{[0-9]+}} shapes
// NORM: frobenius_tiled_many_1: {{.*}} 'a', 'b' in shared memory
// NORM: frobenius_tiled_2:
#include <math.h>
float cross_entropy(const float *x, int n, int k) {
  float total = 0;
  for (int i = 0; i < n; i++) {
    float m = x[i * k];
    for (int j = 1; j < k; j++)
      if (x[i * k + j] > m)
        m = x[i * k + j];
    float s = 0;
    for (int j = 0; j < k; j++)
      s += expf(x[i * k + j] - m);
    total += logf(s) + m;
  }
  return total / n;
}
void mean_square(const float *w, const float *x, const float *y, float *out,
                 int n, int k) {
  float total = 0;
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < k; j++)
      s += w[j] * x[i * k + j];
    float d = s - y[i];
    total += d * d;
  }
  *out = total / n;
}
void frobenius(const float *a, const float *b, float *out, int n, int m,
               int k) {
  out[0] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * m + j];
      out[0] += s * s;
    }
}
