// The same in a template, where it is not known yet of which type.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK: S1: acc += x[col + j] * w[j]
template <typename ElTp>
__global__ void line(const ElTp *__restrict__ x, const ElTp *__restrict__ w,
                     ElTp *__restrict__ y, int W, int K) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= W - K + 1)
    return;
  ElTp acc = 0;
  for (int j = 0; j < K; ++j)
    acc += __ldg(&x[col + j]) * __ldg(w + j);
  y[col] = acc;
}
void launch(const float *x, const float *w, float *y, int W, int K) {
  line<float><<<(W + 255) / 256, 256>>>(x, w, y, W, K);
}
