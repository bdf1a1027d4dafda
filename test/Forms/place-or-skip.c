// A helper that says whether there is a pixel, and where.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -shape=H=6,W=9,OH=4,OW=5,K=3,s=2,p=1 -shape=H=9,W=12,OH=9,OW=12,K=5,s=1,p=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -shape=H=21,W=19,OH=11,OW=10,K=3,s=2,p=1 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: if y * s + i - p >= 0 and H + p - y * s - i - 1 >= 0 and x * s + j - p >= 0 and W + p - x * s - j - 1 >= 0 {
// CHECK-NEXT: S1: a += in[y * s + i - p][x * s + j - p] * w[i][j]
#include <stdbool.h>
static bool map(int y, int x, int i, int j, int H, int W, int s, int p, int *iy,
                int *ix) {
  *iy = y * s - p + i;
  *ix = x * s - p + j;
  if (*iy < 0 || *iy >= H)
    return false;
  return *ix >= 0 && *ix < W;
}
void conv(const float *in, const float *w, float *out, int H, int W, int OH,
          int OW, int K, int s, int p) {
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++) {
      float a = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          int iy, ix;
          if (!map(y, x, i, j, H, W, s, p, &iy, &ix))
            continue;
          a += in[iy * W + ix] * w[i * K + j];
        }
      out[y * OW + x] = a;
    }
}
