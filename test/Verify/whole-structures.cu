// A local copy of a structure reads fields that the nest does not: memory has
// whole structures.
//
// RUN: %convopt %s -function=first -emit=nest | FileCheck %s
// CHECK: argument p_data "const float *@" array from "(const float *)p" structures 4
// RUN: %convopt %s -function=first -q -o %t-1.cu -verify=cpu
// RUN: %convopt %s -function=last -q -o %t-2.cu -verify=cpu
// RUN: %convopt %s -function=host -q -o %t-3.cu -verify=cpu
struct Point {
  float x, y, z, w;
};
__global__ void first(const Point *p, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Point q = p[i], r = p[i + 1];
  y[i] = q.x + r.y;
}
__global__ void last(const Point *p, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Point q = p[i];
  y[i] = q.w;
}
void host(const Point *p, float *y, int n) {
  for (int i = 0; i < n; i++) {
    const Point q = p[i];
    y[i] = q.y + q.z;
  }
}
