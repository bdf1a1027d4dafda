// The threads of a block as rows and columns of a filter: how many there are
// says the launch, as a number.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape

// CHECK: launch grid(C exact, K exact, 1) block(9 exact, 1, 1)
// CHECK: for r in 0 .. 3 {
// CHECK-NEXT: for s in 0 .. 3 {
__global__ void dW(const float *x, const float *dy, float *dw, int N, int C,
                   int K, int H, int W) {
  const int OH = H - 2, OW = W - 2;
  int s = threadIdx.x % 3, r = threadIdx.x / 3;
  int c = blockIdx.x, k = blockIdx.y;
  float acc = 0;
  for (int n = 0; n < N; n++)
    for (int p = 0; p < OH; p++)
      for (int q = 0; q < OW; q++)
        acc += x[((n * C + c) * H + p + r) * W + q + s] *
               dy[((n * K + k) * OH + p) * OW + q];
  dw[((k * C + c) * 3 + r) * 3 + s] = acc;
}
void launch(const float *x, const float *dy, float *dw, int N, int C, int K,
            int H, int W) {
  dW<<<dim3(C, K), 9>>>(x, dy, dw, N, C, K, H, W);
}
