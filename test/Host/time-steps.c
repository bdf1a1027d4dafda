// RUN: %host %s %t
// CALL: recur(5, 7, 3)
// CALL: recur(3, 70, 33)
// CALL: recur(1, 1, 1)
// Time steps of a recurrent layer: their loop runs two kernels in turn, of which
// the first reads a row by it.

#include <math.h>

void recur(int steps, int n, int d, const float *x, const float *W,
           const float *U, float *h, float *z) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      float s = 0;
      for (int j = 0; j < d; j++)
        s += W[i * d + j] * x[t * d + j];
      for (int j = 0; j < n; j++)
        s += U[i * n + j] * h[j];
      z[i] = s > 0 ? s : 0.1f * s;
    }
    for (int i = 0; i < n; i++)
      h[i] = z[i];
  }
}
