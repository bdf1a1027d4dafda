// Indices of a constant extent fit an int in the last tile, too, or it is
// refused; of other extents, launchers ask.
// RUN: rm -f %t.cu
// RUN: %status 1 %convopt %s -tile=96 -o %t.cu 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// RUN: %convopt %s -tile=128 -o %t.cu
void far(const float *in, float *out) {
  for (int x = 0; x < 2147483640; x++)
    out[x] = in[x] + in[x + 1];
}
// CHECK: last-tiles.c:7:1: error: indices of the last tile of 'x_b' would not fit an int [limit]
// CHECK: note: a tile that divides its extent
