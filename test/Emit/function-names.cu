// Functions may have the names of what calls them declares.
// RUN: %convopt %s -function=stream -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=block -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=error -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shapes
__global__ void stream(const float *f, float *g, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= nx)
    return;
  g[x] = f[x];
}
__global__ void block(const float *f, float *g, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < nx)
    g[x] = 2 * f[x];
}
void error(const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += x[i * m + k];
    y[i] = s;
  }
}
