// Flags that conditions change: by &=, by |=, by && and under an `if`, declared
// in the loop or before all of them.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <stdbool.h>

// CHECK: if h * sy + r - pad >= 0 and H + pad - h * sy - r - 1 >= 0 and w + s - pad >= 0 and W + pad - w - s - 1 >= 0
// CHECK-NEXT: S1: sum += x[h * sy + r - pad][w + s - pad] * k[r][s]
void conv(const float *x, const float *k, float *y, int H, int W, int R, int S,
          int pad, int sy) {
  int OH = (H + 2 * pad - R) / sy + 1, OW = W + 2 * pad - S + 1;
  int h, w, r, s, rowIn;
  for (h = 0; h < OH; h++)
    for (w = 0; w < OW; w++) {
      float sum = 0;
      for (r = 0; r < R; r++) {
        rowIn = 1;
        if (h * sy + r < pad)
          rowIn &= 0;
        rowIn = rowIn && h * sy + r - pad < H;
        for (s = 0; s < S; s++) {
          bool outside = w + s < pad;
          outside |= w + s - pad >= W;
          if (rowIn & !outside)
            sum += x[(h * sy + r - pad) * W + w + s - pad] * k[r * S + s];
        }
      }
      y[h * OW + w] = sum;
    }
}
