// A kernel with its sizes in a struct by value.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

struct Params {
  int H, W, K;
  float alpha;
};

// CHECK: parameter p "Params @" object "Params"
// CHECK: S1: s += x[i + a][j + b] * f[a][b]
__global__ void conv(const float *x, const float *f, float *y, Params p) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= p.H - p.K + 1 || j >= p.W - p.K + 1)
    return;
  float s = 0;
  for (int a = 0; a < p.K; a++)
    for (int b = 0; b < p.K; b++)
      s += x[(i + a) * p.W + j + b] * f[a * p.K + b];
  y[i * (p.W - p.K + 1) + j] = s * p.alpha;
}
