// Weights that overflow float and not double: what is computed from infinities
// is compared with the naive code alone, and everything else with the reference.
//
// RUN: %convopt %s -o %t.cu -verify=cpu -shape=n=33 -shape=n=7 -shape=n=20 \
// RUN:   2>&1 | FileCheck %s
// CHECK: verified: 3 shapes on the CPU
//
// A reference that is another one where nothing overflows (num + 9 * den).
// RUN: sed 's/num + 0 \* den/num + 9 * den/' %t.cu > %t.other.cu
// RUN: not cmp -s %t.cu %t.other.cu
// RUN: %status 3 %convopt %s -verify=cpu -verify-file=%t.other.cu \
// RUN:   -shape=n=33 -shape=n=7 -shape=n=20 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: FAIL n={{.*}} elements of 'y' are wrong, {{.*}}, reference
#include <math.h>
void f(const unsigned char *x, unsigned char *y, int n, float s) {
  for (int i = 0; i < n; ++i) {
    float num = 0, den = 0;
    for (int j = 0; j < 9; ++j) {
      float w = expf(-j * j * s);
      num += w * x[i + j];
      den += w;
    }
    y[i] = (unsigned char)((num + 0 * den) / den);
  }
}
