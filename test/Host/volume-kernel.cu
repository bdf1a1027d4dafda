// RUN: %host %s %t
// CALL: run(9, 12, 33)
// CALL: run(12, 10, 40)
#define K 3
__constant__ float unused[4];
__global__ void conv(const float *in, const float *f, float *out, int D, int H,
                     int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= W - K + 1 || y >= H - K + 1 || z >= D - K + 1)
    return;
  float sum = 0;
  for (int k = 0; k < K; k++)
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++)
        sum += in[((z + k) * H + y + i) * W + x + j] * f[(k * K + i) * K + j];
  out[(z * (H - K + 1) + y) * (W - K + 1) + x] = sum;
}

void run(const float *in, const float *f, float *out, int D, int H, int W) {
  dim3 block(8, 8, 4);
  dim3 grid((W - K + 8) / 8, (H - K + 8) / 8, (D - K + 4) / 4);
  conv<<<grid, block>>>(in, f, out, D, H, W);
}
