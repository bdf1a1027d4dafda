// A filter whose width is an argument of the template: what it takes to come to
// the kernel for widths that shared memory has no room for leaves the other one
// its shapes, with several widths and a second block of rows.
//
// RUN: %convopt %s -o - -emit=verify-driver | FileCheck %s
// CHECK-DAG: convopt_case<{{[0-9]+}}>("R={{[2-9]}} h=
// CHECK-DAG: convopt_case<{{[0-9]+}}>("R=90 h=
// CHECK-DAG: convopt_case<{{[0-9]+}}>("R={{[1-9]}} h={{129|256}} w=
template <int R>
__global__ void blur(const float *in, const float *f, float *out, int h,
                     int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int i = -R; i <= R; i++)
    for (int j = -R; j <= R; j++)
      if (y + i >= 0 && y + i < h && x + j >= 0 && x + j < w)
        sum += in[(y + i) * w + x + j] * f[(i + R) * (2 * R + 1) + j + R];
  out[y * w + x] = sum;
}
