// The number of maps is that of blocks.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument blocks_y "int @" param from gridDim.y
// CHECK: y[n][m]
__global__ void conv(const float *x, const float *w, float *y, int C, int H, int W, int K) {
  const int n = blockIdx.x, m = blockIdx.y, M = gridDim.y;
  const int OH = H - K + 1, OW = W - K + 1;
  const float *xn = x + n * C * H * W;
  const float *wm = w + m * C * K * K;
  float *ym = y + (n * M + m) * OH * OW;
  for (int p = threadIdx.x; p < OH * OW; p += blockDim.x) {
    const int r = p / OW, c = p % OW;
    float s = 0;
    const float *wp = wm;
    for (int ch = 0; ch < C; ++ch)
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          s += xn[(ch * H + r + i) * W + c + j] * *wp++;
    ym[p] = s;
  }
}
void f(const float *x, const float *w, float *y, int N, int M, int C, int H, int W, int K) {
  conv<<<dim3(N, M), 256>>>(x, w, y, C, H, W, K);
}
