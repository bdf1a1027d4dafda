// RUN: %convopt %s -function=planes -emit=nest | FileCheck %s
// RUN: %convopt %s -function=planes -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=rows -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// An offset that is a sum of what blocks and threads compute in several
// dimensions, with blocks that have no variable of their own.
// CHECK: s += x[blockIdx_z * w * h + j * w + i + k]
// CHECK: y[blockIdx_z][j][i] = s
// VERIFIED: verified: {{[0-9]+}} shapes
__global__ void planes(const float *x, float *y, int w, int h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h || blockIdx.z >= n)
    return;
  int at = blockIdx.z * (w * h) + j * w + i;
  float s = 0;
  for (int k = 0; k < 5; k++)
    s += x[at + k];
  y[at] = s;
}
__global__ void rows(const float *x, float *y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = blockIdx.z * (w * h) + blockIdx.y * w + i;
  if (i < w)
    y[at] = x[at] + 1;
}
