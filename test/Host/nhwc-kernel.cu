// RUN: %host %s %t
// CALL: run(20, 33, 4, 6, 3)
// CALL: run(17, 40, 3, 5, 3)
__global__ void conv(const float *in, const float *f, float *out, int H, int W,
                     int C, int M, int K) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int m = blockIdx.z;
  int r = K / 2;
  if (x < W && y < H) {
    float sum = 0;
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < K; ++j) {
        int yy = y + i - r, xx = x + j - r;
        if (yy >= 0 && yy < H && xx >= 0 && xx < W)
          for (int c = 0; c < C; ++c)
            sum += in[(yy * W + xx) * C + c] * f[((m * K + i) * K + j) * C + c];
      }
    out[(y * W + x) * M + m] = sum;
  }
}

void run(const float *in, const float *f, float *out, int H, int W, int C,
         int M, int K) {
  dim3 block(32, 4);
  dim3 grid((W + 31) / 32, (H + 3) / 4, M);
  conv<<<grid, block>>>(in, f, out, H, W, C, M, K);
}
