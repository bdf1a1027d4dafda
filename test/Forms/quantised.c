// Bytes with a zero point, requantised with rounding.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: acc += ((int)(x[c][i + p][j + q]) - index(zp)) * (int)(w[o][c][p][q])
#include <stdint.h>
#include <math.h>
void qconv(const int8_t *x, const int8_t *w, const int32_t *b, int8_t *y, int ic, int oc, int h, int wd, int k, float scale, int zp) {
  int oh = h - k + 1, ow = wd - k + 1;
  for (int o = 0; o < oc; o++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        int32_t acc = b[o];
        for (int c = 0; c < ic; c++)
          for (int p = 0; p < k; p++)
            for (int q = 0; q < k; q++)
              acc += ((int32_t)x[(c * h + i + p) * wd + j + q] - zp) * (int32_t)w[((o * ic + c) * k + p) * k + q];
        int32_t v = (int32_t)roundf(acc * scale);
        v = v < -128 ? -128 : (v > 127 ? 127 : v);
        y[(o * oh + i) * ow + j] = (int8_t)v;
      }
}
