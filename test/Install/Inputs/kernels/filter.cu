#include "beside.h"
#include "taps.h"

__global__ void filter(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < WIDTH; ++j)
      sum += x[i + j];
    y[i] = sum;
  }
}

void run_filter(const float *x, float *y, int n) {
  filter<<<(n + 127) / 128, 128>>>(x, y, n);
}
