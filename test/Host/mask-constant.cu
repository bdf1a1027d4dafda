// RUN: %host %s %t
// Sizes all known.
// CALL: run()
constexpr int Width = 96, Height = 50, Radius = 2;
__global__ void conv(const float *in, const float *mask, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= Width || y >= Height)
    return;
  float sum = 0;
  for (int i = -Radius; i <= Radius; ++i)
    for (int j = -Radius; j <= Radius; ++j)
      if (y + i >= 0 && y + i < Height && x + j >= 0 && x + j < Width)
        sum += in[(y + i) * Width + x + j] *
               mask[(i + Radius) * (2 * Radius + 1) + j + Radius];
  out[y * Width + x] = sum;
}

void run(const float *in, const float *mask, float *out) {
  conv<<<dim3(3, 7), dim3(32, 8)>>>(in, mask, out);
}
