__global__ void box(const float *in, float *out, int H, int W, int R) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H)
    return;
  float sum = 0.0f;
  for (int i = -R; i <= R; ++i)
    for (int j = -R; j <= R; ++j)
      if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
        sum += in[(y + i) * W + x + j];
  out[y * W + x] = sum;
}

void launch(const float *in, float *out, int H, int W, int R) {
  dim3 block(16, 16);
  dim3 grid((W + 15) / 16, (H + 15) / 16);
  box<<<grid, block>>>(in, out, H, W, R);
}
