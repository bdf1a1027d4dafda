// RUN: %host %s %t
// CALL: power_iteration(33, 3)
// CALL: power_iteration(1, 2)
// CALL: power_iteration(130, 1)
// The norm, which all iterations set anew, is an array of one element: one
// thread adds it up, of elements that its warp copies.
#include <math.h>

void power_iteration(int n, int steps, const float *a, float *v, float *w) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      w[i] = 0;
      for (int j = 0; j < n; j++)
        w[i] += a[i * n + j] * v[j];
    }
    float norm = 0;
    for (int i = 0; i < n; i++)
      norm += w[i] * w[i];
    norm = sqrtf(norm);
    for (int i = 0; i < n; i++)
      v[i] = w[i] / norm;
  }
}
