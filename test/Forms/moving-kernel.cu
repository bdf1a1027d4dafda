// A kernel template that takes its pointers to where a thread's output lies.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S{{[0-9]+}}: sum += in[c][y + i][x + j] * w[m][c][i][j]
// CHECK: S{{[0-9]+}}: out[m][y][x] = sum
template <typename T, int K>
__global__ void conv(const T *in, const T *w, T *out, int C, int H, int W,
                     int M) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int m = blockIdx.z;
  const int OH = H - K + 1, OW = W - K + 1;
  if (x >= OW || y >= OH || m >= M)
    return;
  in += y * W + x;
  w += m * C * K * K;
  out += (m * OH + y) * OW + x;
  T sum = 0;
  for (int c = 0, at = 0; c < C; c++, in += H * W)
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++)
        sum += in[i * W + j] * w[at++];
  *out = sum;
}

void launch(const float *in, const float *w, float *out, int C, int H, int W,
            int M) {
  dim3 block(16, 16), grid((W - 4 + 15) / 16, (H - 4 + 15) / 16, M);
  conv<float, 5><<<grid, block>>>(in, w, out, C, H, W, M);
}
