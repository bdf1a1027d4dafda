// RUN: %host %s %t
// CALL: project(33)
// CALL: project(130)
// CALL: project(1)
// The norm is set outside of all loops, between them and after them: an array
// of one element, which one thread computes and the others divide by.
#include <math.h>

void project(int n, const float *a, const float *x, float *y, float *length) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += a[i * n + j] * x[j];
    y[i] = s;
  }
  float norm = 0;
  for (int i = 0; i < n; i++)
    norm += y[i] * y[i];
  norm = sqrtf(norm);
  for (int i = 0; i < n; i++)
    y[i] = y[i] / norm;
  *length = norm;
}
