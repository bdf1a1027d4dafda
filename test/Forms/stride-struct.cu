// A loop that threads share, with sizes in a struct and a helper.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
struct Shape {
  int c, h, w, k;
};

__device__ int at(const Shape &s, int c, int y, int x) {
  return (c * s.h + y) * s.w + x;
}

// CHECK: S1: sum += x[c][i_mod_div + p][i_mod_mod + q] * w[i_div][c][p][q]
__global__ void conv(const float *x, const float *w, float *y, Shape s,
                     int filters) {
  const int oh = s.h - s.k + 1, ow = s.w - s.k + 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < filters * oh * ow;
       i += gridDim.x * blockDim.x) {
    const int col = i % ow, row = i / ow % oh, f = i / (ow * oh);
    float sum = 0;
    for (int c = 0; c < s.c; c++)
      for (int p = 0; p < s.k; p++)
        for (int q = 0; q < s.k; q++)
          sum += x[at(s, c, row + p, col + q)] *
                 w[((f * s.c + c) * s.k + p) * s.k + q];
    y[i] = sum;
  }
}
