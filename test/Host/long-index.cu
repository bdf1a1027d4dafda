// RUN: %host %s %t
// CALL: run(3, 40, 50, 3)
// CALL: run(2, 33, 65, 5)
__global__ void conv(const float *in, const float *f, float *out, int C, int H,
                     int W, int K) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > W - K || y > H - K)
    return;
  float sum = 0;
  for (int c = 0; c < C; ++c)
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < K; ++j)
        sum += in[(long)c * H * W + (long)(y + i) * W + x + j] *
               f[(c * K + i) * K + j];
  out[(long)y * (W - K + 1) + x] = sum;
}

void run(const float *in, const float *f, float *out, int C, int H, int W,
         int K) {
  dim3 block(16, 16);
  dim3 grid((W - K + 16) / 16, (H - K + 16) / 16);
  conv<<<grid, block>>>(in, f, out, C, H, W, K);
}
