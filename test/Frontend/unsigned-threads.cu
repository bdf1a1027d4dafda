// Threads count from 0 also under a guard of another one.
// RUN: %convopt %s -emit=nest | FileCheck %s
// CHECK: S0: e[y][z] += h[y][z] - h[y - 1][z]
__global__ void update(double *e, const double *h, unsigned ny, unsigned nz) {
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned z = blockIdx.x * blockDim.x + threadIdx.x;
  if (y == 0 || y >= ny - 1 || z >= nz)
    return;
  size_t id = (size_t)y * nz + z;
  e[id] += h[id] - h[id - nz];
}
