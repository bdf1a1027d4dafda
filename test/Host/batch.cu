// RUN: %host %s %t
// CALL: run(2, 3, 4, 20, 22, 3)
// CALL: run(3, 1, 6, 17, 33, 5)
__global__ void conv(float *y, const float *x, const float *k, const int B,
                     const int M, const int C, const int H, const int W,
                     const int K) {
  const int H_out = H - K + 1, W_out = W - K + 1;
#define y4d(i3, i2, i1, i0)                                                    \
  y[(i3) * (M * H_out * W_out) + (i2) * (H_out * W_out) + (i1) * (W_out) + i0]
#define x4d(i3, i2, i1, i0)                                                    \
  x[(i3) * (C * H * W) + (i2) * (H * W) + (i1) * (W) + i0]
#define k4d(i3, i2, i1, i0)                                                    \
  k[(i3) * (C * K * K) + (i2) * (K * K) + (i1) * (K) + i0]
  const int W_grid = (W_out + 15) / 16;
  int b = blockIdx.z, m = blockIdx.x;
  int h = (blockIdx.y / W_grid) * 16 + threadIdx.y;
  int w = (blockIdx.y % W_grid) * 16 + threadIdx.x;
  if (h < H_out && w < W_out) {
    float acc = 0.0f;
    for (int c = 0; c < C; c++)
      for (int p = 0; p < K; p++)
        for (int q = 0; q < K; q++)
          acc += x4d(b, c, h + p, w + q) * k4d(m, c, p, q);
    y4d(b, m, h, w) = acc;
  }
#undef y4d
#undef x4d
#undef k4d
}

void run(float *y, const float *x, const float *k, int B, int C, int M, int H,
         int W, int K) {
  const int W_grid = (W - K + 1 + 15) / 16, H_grid = (H - K + 1 + 15) / 16;
  dim3 block(16, 16, 1), grid(M, H_grid * W_grid, B);
  conv<<<grid, block>>>(y, x, k, B, M, C, H, W, K);
}
