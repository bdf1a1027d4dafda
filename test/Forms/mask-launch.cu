// A mask in constant memory, and the guard at the end, around the store.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument M "float *@" array from "::M" variable 5
// CHECK: for i in 0 .. Width {
// CHECK: S2: P[i] = Pvalue
#define MASK_WIDTH 5
__constant__ float M[MASK_WIDTH];
__global__ void convolution_1D_basic(float *N, float *P, int Width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float Pvalue = 0;
  int start = i - (MASK_WIDTH / 2);
  for (int j = 0; j < MASK_WIDTH; j++) {
    if (start + j >= 0 && start + j < Width)
      Pvalue += N[start + j] * M[j];
  }
  if (i < Width) P[i] = Pvalue;
}
int main() {
  float *n, *p; int width = 1000;
  convolution_1D_basic<<<(width + 255) / 256, 256>>>(n, p, width);
}
