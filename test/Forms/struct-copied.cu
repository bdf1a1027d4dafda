// The source copies a structure of which it reads nothing for some sizes.
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shape
struct Point {
  float x, y, z, w;
};
__global__ void distances(const Point *p, float *o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Point a = p[i];
  float s = 0;
  for (int j = 0; j < m; j++) {
    Point b = p[j];
    float d = a.x - b.x;
    s += d * d + b.y;
  }
  o[i] = s;
}
