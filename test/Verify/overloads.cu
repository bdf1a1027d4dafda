// Overloads that differ in the type of elements alone are called by it.
//
// RUN: %convopt %s -function=kernel:10 -q -o %t-1.cu -verify=cpu -shape=n=70
// RUN: %convopt %s -function=kernel:14 -q -o %t-2.cu -verify=cpu -shape=n=70
// RUN: %convopt %s -function=host:18 -q -o %t-3.cu -verify=cpu -shape=n=70
// RUN: %convopt %s -function=host:22 -q -o %t-4.cu -verify=cpu -shape=n=70
struct Pair {
  float a, b;
};
__global__ void kernel(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + x[i + 1];
}
__global__ void kernel(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + x[i + 1];
}
void host(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] + x[i + 1];
}
void host(const Pair *x, float *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i].a + x[i + 1].b;
}
