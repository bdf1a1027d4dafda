// RUN: %host %s %t
// CALL: run<float, 2>(41, 66)
// CALL: run<double, 1>(33, 30)
template <typename T, int R>
__global__ void conv(const T *in, const T *f, T *out, int H, int W) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H)
    return;
  T sum = 0;
#pragma unroll
  for (int i = -R; i <= R; ++i)
#pragma unroll
    for (int j = -R; j <= R; ++j)
      if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
        sum += in[(y + i) * W + x + j] * f[(i + R) * (2 * R + 1) + j + R];
  out[y * W + x] = sum;
}

template <typename T, int R>
void run(const T *in, const T *f, T *out, int H, int W) {
  const dim3 block(32, 8);
  const dim3 grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
  conv<T, R><<<grid, block>>>(in, f, out, H, W);
}
