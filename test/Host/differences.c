// RUN: %convopt %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %host %s %t
// What reads an element of an earlier iteration is a kernel of its own: in one
// loop it would wait for that.
// CHECK: differences_tiled_1: 32 x 8 threads a block
// CHECK: differences_tiled_2: 32 x 8 threads a block
// CALL: differences(9, 70)
// CALL: differences(1, 1)
void differences(const float *a, float *g, float *m, int h, int w) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      g[y * w + x] = a[y * w + x] * 2;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      m[y * w + x] = g[y * w + x] - g[y * w + (x > 0 ? x - 1 : 0)];
}
