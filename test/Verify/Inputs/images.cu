// A batch along gridDim.z, rows and columns folded into gridDim.y.
__global__ void images(const float *x, const float *w, float *y, int C, int M,
                       int H, int W, int K, int across) {
  const int OH = H - K + 1, OW = W - K + 1;
  const int m = blockIdx.x, n = blockIdx.z;
  const int r = blockIdx.y / across * 16 + threadIdx.y;
  const int c = blockIdx.y % across * 16 + threadIdx.x;
  if (r < OH && c < OW) {
    float sum = 0;
    for (int k = 0; k < C; k++)
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          sum += x[((n * C + k) * H + r + i) * W + c + j] *
                 w[((m * C + k) * K + i) * K + j];
    y[((n * M + m) * OH + r) * OW + c] = sum;
  }
}
void call(const float *x, const float *w, float *y, int N, int C, int M, int H,
          int W, int K) {
  const int across = (W - K + 16) / 16, down = (H - K + 16) / 16;
  images<<<dim3(M, across * down, N), dim3(16, 16)>>>(x, w, y, C, M, H, W, K,
                                                      across);
}
