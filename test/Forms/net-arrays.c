// A quantised layer with its filter in a struct, and a border of zero points.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: array l_filter: signed char[3][5] input
// CHECK: s += ((signed char)(chosen) - (signed char)index(l_zero)) * l_filter[i][j]
#include <stdint.h>
struct Layer {
  int height, width;
  int8_t zero;
  int8_t filter[3][5];
};
static int8_t at(const int8_t *x, int i, int j, const struct Layer *l) {
  if (i < 0 || i >= l->height || j < 0 || j >= l->width)
    return l->zero;
  return x[i * l->width + j];
}
void layer(const int8_t *x, int32_t *y, const struct Layer *l) {
  for (int r = 0; r < l->height; r++)
    for (int c = 0; c < l->width; c++) {
      int32_t s = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
          s += (at(x, r + i - 1, c + j - 2, l) - l->zero) * l->filter[i][j];
      y[r * l->width + c] = s;
    }
}
