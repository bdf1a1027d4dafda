// A kernel calls the functor that it is passed, which has the arrays in its fields.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument f_in "const float *@" array from "f.in"
// CHECK: S1: s += f_in[y + i][x + j] * f_w[i][j]
struct Blur {
  const float *in, *w;
  float *out;
  int cols, k;
  __device__ void operator()(int y, int x) const {
    float s = 0;
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++)
        s += in[(y + i) * cols + x + j] * w[i * k + j];
    out[y * (cols - k + 1) + x] = s;
  }
};

__global__ void each(int rows, Blur f) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < rows && x < f.cols - f.k + 1)
    f(y, x);
}
