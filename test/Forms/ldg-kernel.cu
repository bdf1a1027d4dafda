// Reads through the read-only cache, by element and by pointer.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK: S1: acc += x[c][row + i][col + j] * w[m][c][i][j]
__global__ void conv(const float *__restrict__ x, const float *__restrict__ w,
                     float *__restrict__ y, int M, int C, int H, int W,
                     int K) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y, m = blockIdx.z;
  int OH = H - K + 1, OW = W - K + 1;
  if (row >= OH || col >= OW || m >= M)
    return;
  float acc = 0.f;
  for (int c = 0; c < C; ++c)
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < K; ++j)
        acc += __ldg(&x[(c * H + row + i) * W + col + j]) *
               __ldg(w + ((m * C + c) * K + i) * K + j);
  y[(m * OH + row) * OW + col] = acc;
}
