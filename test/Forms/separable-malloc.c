// Two passes with memory of the function between them; borders repeat by statements.
// RUN: %convopt %s -function=separable:16 -emit=nest 2>/dev/null | FileCheck --check-prefix=ROWS %s
// RUN: %convopt %s -function=separable:16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=separable:16 -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=separable:29 -emit=nest 2>/dev/null | FileCheck --check-prefix=COLUMNS %s
// RUN: %convopt %s -function=separable:29 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=separable:29 -tile=x:16,y:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// ROWS: S{{[0-9]+}}: s += in[y][x + k] * g[k + r]
// COLUMNS: S{{[0-9]+}}: s += tmp[y + k][x] * g[k + r]
#include <stdlib.h>
int separable(const float *in, float *out, const float *g, int w, int h, int r) {
  float *tmp = malloc(sizeof *tmp * w * h);
  if (!tmp)
    return -1;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int k = -r; k <= r; k++) {
        int u = x + k;
        if (u < 0)
          u = 0;
        if (u > w - 1)
          u = w - 1;
        s += in[y * w + u] * g[k + r];
      }
      tmp[y * w + x] = s;
    }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int k = -r; k <= r; k++) {
        int v = y + k;
        if (v < 0)
          v = 0;
        if (v > h - 1)
          v = h - 1;
        s += tmp[v * w + x] * g[k + r];
      }
      out[y * w + x] = s;
    }
  free(tmp);
  return 0;
}
