// RUN: %host %s %t
// CALL: conv(100, 0.5, 1)
// CALL: conv(33, -2, 0)
#include <stddef.h>
typedef float real;
typedef enum { Same, Valid } Mode;
static const real Scale = 0.1f;
enum { Taps = 3 };
void conv(const real *x, const real *f, real *y, size_t n, real bias, Mode m) {
  for (size_t i = 0; i < n; i++) {
    real sum = bias;
    for (size_t j = 0; j < Taps; j++)
      sum += x[i + j] * f[j] * (real)0.5 * Scale;
    y[i] = sum;
  }
}
