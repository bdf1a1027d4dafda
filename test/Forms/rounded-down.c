// Indices that are rounded down to multiples, as of blocks of 2 x 4.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: b[y][x] = a{{.*}} + c
void blocks(const int *a, const int *c, int *b, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      b[y * w + x] = a[y / 2 * 2 * w + x / 4 * 4] + c[y * w + x];
}
