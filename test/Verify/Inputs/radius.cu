template <typename T, int R>
__global__ void filter3(const T *in, const T *w, T *out, int W, int H, int D) {
  int x = threadIdx.x + blockDim.x * blockIdx.x;
  int y = threadIdx.y + blockDim.y * blockIdx.y;
  if (x < R || y < R || x >= W - R || y >= H - R)
    return;
  for (int z = R; z < D - R; ++z) {
    T sum = T(0);
    for (int k = -R; k <= R; ++k)
      for (int i = -R; i <= R; ++i)
        for (int j = -R; j <= R; ++j)
          sum += in[((z + k) * H + (y + i)) * W + x + j] *
                 w[((k + R) * (2 * R + 1) + i + R) * (2 * R + 1) + j + R];
    out[(z * H + y) * W + x] = sum;
  }
}
