// RUN: %host %s %t
// CALL: run(40, 45, 3, 2, 2)
// CALL: run(50, 64, 3, 1, 3)
__global__ void conv(const float *in, const float *f, float *out, int H, int W,
                     int K, int DY, int DX) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int OH = H - (K - 1) * DY, OW = W - (K - 1) * DX;
  if (x < OW && y < OH) {
    float sum = 0;
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++)
        sum += in[(y + i * DY) * W + x + j * DX] * f[i * K + j];
    out[y * OW + x] = sum;
  }
}

void run(const float *in, const float *f, float *out, int H, int W, int K,
         int DY, int DX) {
  dim3 block(32, 4);
  dim3 grid((W - (K - 1) * DX + 31) / 32, (H - (K - 1) * DY + 3) / 4);
  conv<<<grid, block>>>(in, f, out, H, W, K, DY, DX);
}
