// A kernel that ends with an activation by statements.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK: S2: acc = (acc < 0.0f ? (float)(0.0f) : (acc > 6.0f ? (float)(6.0f) : acc))
__global__ void conv_relu6(const float *x, const float *w, float *y, int H,
                           int W, int K) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int OH = H - K + 1, OW = W - K + 1;
  if (row < OH && col < OW) {
    float acc = 0.0f;
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++)
        acc += x[(row + i) * W + col + j] * w[i * K + j];
    if (acc < 0.0f)
      acc = 0.0f;
    else if (acc > 6.0f)
      acc = 6.0f;
    y[row * OW + col] = acc;
  }
}
