// Fixed point, with pointers that move.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: acc += x[i + k] * coef[k]
void lpf(const short *x, const short *coef, short *y, unsigned n, unsigned taps) {
  for (unsigned i = 0; i < n; i++) {
    int acc = 1 << 2;
    const short *px = x + i;
    const short *pc = coef;
    for (unsigned k = 0; k < taps; k++)
      acc += *px++ * *pc++;
    y[i] = (short)(acc >> 3);
  }
}
