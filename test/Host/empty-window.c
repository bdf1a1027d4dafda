// RUN: %host %s %t -staging=shared
// RUN: %convopt %s -staging=shared -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// Of r nothing is read for D = 0: the copy of a block is not launched then, and the
// original runs.
// CHECK: verified: {{[0-9]+}} shapes
// RUN: grep -v '^//' %t.cu | FileCheck %s --check-prefix=CODE
// CODE:      if (D < 1)
// CODE-NEXT:   return follow_tiled_refuse(cudaErrorInvalidValue,
// CODE-NEXT:                              "D >= 1: 'r' is read where it is copied")
// CALL: follow(257, 3)
// CALL: follow(64, 9)
void follow(const float *r, float *y, int w, int D) {
  for (int x = D; x < w; x++) {
    float s = 0;
    for (int d = 0; d < D; d++)
      s += r[x - d];
    y[x] = s;
  }
}
