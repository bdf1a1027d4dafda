// A layer and sizes that lie in memory of the device.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

struct Layer {
  const float *weights, *bias;
  float taps[3];
  int k;
  short dims[2];
};

__device__ inline int rowsOf(const Layer *l) { return l->dims[0] - l->k + 1; }

// CHECK: argument l_weights "const float *@" array from "l->weights"
// CHECK: argument l_taps "const float *@" array from "l->taps" variable 3
// CHECK: for i in 0 .. l_dims_0 - l_k + 1 {
// CHECK: S1: s += x[i + a - pad_0][j + b] * l_weights[a][b] * l_taps[b]
template <typename T>
__global__ void conv(const float *x, int *y, const Layer *l, const int *pad,
                     int ow) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rowsOf(l) || j >= ow)
    return;
  T s = 0;
  for (int a = 0; a < (*l).k; a++)
    for (int b = 0; b < 3; b++) {
      int r = i + a - *pad;
      if (r >= 0 && r < l->dims[0])
        s += x[r * l->dims[1] + j + b] * l->weights[a * 3 + b] * l->taps[b];
    }
  if (l->bias != nullptr)
    s += l->bias[j];
  y[i * ow + j] = s;
}

void run(const float *x, int *y, const Layer *l, const int *pad, int ow,
         dim3 grid, dim3 block) {
  conv<float><<<grid, block>>>(x, y, l, pad, ow);
}
