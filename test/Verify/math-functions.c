// Functions and macros of <math.h> that devices have; lgamma sets a variable.
//
// RUN: %convopt %s -function=gradient -o %t.cu -verify=cpu -shape=h=5,w=9 \
// RUN:   2>&1 | FileCheck %s
// RUN: %status 1 %convopt %s -function=gamma_of -o %t2.cu 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GAMMA
// CHECK: verified: 1 shape on the CPU
// GAMMA: error: a call of 'lgammaf' may have side effects
#include <math.h>
#include <stdint.h>
void gradient(const float *x, uint8_t *y, int h, int w) {
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      float gx = 0, gy = 0;
      for (int k = -1; k <= 1; k++) {
        gx += x[(i + k) * w + j + 1] - x[(i + k) * w + j - 1];
        gy += x[(i + 1) * w + j + k];
        if (!isnan(x[(i - 1) * w + j + k]))
          gy -= x[(i - 1) * w + j + k];
      }
      y[i * w + j] = (uint8_t)lrintf(fminf(hypotf(gx, gy), 255.f));
    }
}
void gamma_of(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = lgammaf(x[i] + 1);
}
