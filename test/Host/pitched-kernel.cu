// RUN: %host %s %t
// CALL: run(40, 30, 48, 64, 3)
// CALL: run(65, 33, 96, 70, 3)
__global__ void conv(const float *in, const float *f, float *out, int width,
                     int height, int inPitch, int outPitch, int K) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int i = 0; i < K; i++)
    for (int j = 0; j < K; j++)
      sum += in[(y + i) * inPitch + x + j] * f[i * K + j];
  out[y * outPitch + x] = sum;
}

void run(const float *in, const float *f, float *out, int width, int height,
         int inPitch, int outPitch, int K) {
  dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  conv<<<grid, block>>>(in, f, out, width, height, inPitch, outPitch, K);
}
