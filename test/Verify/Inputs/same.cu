__global__ void same(const double *in, const double *w, double *out, int H, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H)
    return;
  double sum = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
        sum += in[(y + i) * W + x + j] * w[(i + 1) * 3 + j + 1];
  out[y * W + x] = sum;
}
