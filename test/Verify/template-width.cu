// A filter whose width is an argument of the template: shapes have several
// widths and a second block of rows. The general kernel, for widths that shared
// memory has no room for, runs at the same.
//
// RUN: %convopt %s -o - -emit=verify-driver | FileCheck %s
// CHECK-DAG: blur_tiled_general_launch(
// CHECK-DAG: convopt_case<{{[0-9]+}}>("R={{[2-9]}} h=
// CHECK-DAG: convopt_case<{{[0-9]+}}>("R={{[1-9]}} h={{65|128|129}} w=
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
