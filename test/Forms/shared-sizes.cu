// Sizes that the first thread of a block leaves in shared memory.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,1 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: param P: int = H - K + 1
// CHECK: param Q: int = W - K + 1
// CHECK: array y: float[N][M][P][Q] output
// CHECK: launch grid(ceildiv(total, 256), 1, 1)
__global__ void conv(const float *x, const float *w, float *y, int N, int C,
                     int H, int W, int M, int K) {
  __shared__ int P, Q, total;
  const int tid = threadIdx.x;
  if (tid == 0) {
    P = H - K + 1;
    Q = W - K + 1;
    total = N * M * P * Q;
  }
  __syncthreads();
  int idx = blockIdx.x * blockDim.x + tid;
  if (idx >= total)
    return;
  int q = idx % Q, p = idx / Q % P;
  int m = idx / (Q * P) % M, n = idx / (Q * P * M);
  float s = 0.0f;
  for (int c = 0; c < C; c++)
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++)
        s += x[((n * C + c) * H + p + i) * W + q + j] *
             w[((m * C + c) * K + i) * K + j];
  y[idx] = s;
}
