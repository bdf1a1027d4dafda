// The GPU version of the layer (course project, ECE 408 style): a grid of
// images, output maps and tiles, the tile's row and column packed into
// blockIdx.z, and one thread an output element.

#define TILE_WIDTH 16

__global__ void forward_kernel(float *y, const float *x, const float *k,
                               const int B, const int M, const int C,
                               const int H, const int W, const int K) {
  const int H_out = H - K + 1;
  const int W_out = W - K + 1;

#define y4d(i3, i2, i1, i0)                                                    \
  y[(i3) * (M * H_out * W_out) + (i2) * (H_out * W_out) + (i1) * (W_out) + i0]
#define x4d(i3, i2, i1, i0)                                                    \
  x[(i3) * (C * H * W) + (i2) * (H * W) + (i1) * (W) + i0]
#define k4d(i3, i2, i1, i0)                                                    \
  k[(i3) * (C * K * K) + (i2) * (K * K) + (i1) * (K) + i0]

  int W_grid = ceil((float)W_out / TILE_WIDTH);

  const int b = blockIdx.x;
  const int m = blockIdx.y;
  const int h = blockIdx.z / W_grid * TILE_WIDTH + threadIdx.y;
  const int w = blockIdx.z % W_grid * TILE_WIDTH + threadIdx.x;

  if (h < H_out && w < W_out) {
    float val = 0;
    for (int c = 0; c < C; c++) {
      for (int p = 0; p < K; p++) {
        for (int q = 0; q < K; q++) {
          val += x4d(b, c, h + p, w + q) * k4d(m, c, p, q);
        }
      }
    }
    y4d(b, m, h, w) = val;
  }

#undef y4d
#undef x4d
#undef k4d
}

void forward(float *y, const float *x, const float *k, int B, int M, int C,
             int H, int W, int K) {
  int H_out = H - K + 1;
  int W_out = W - K + 1;
  int W_grid = ceil(1.0 * W_out / TILE_WIDTH);
  int H_grid = ceil(1.0 * H_out / TILE_WIDTH);
  int Z = H_grid * W_grid;

  dim3 blockDim(TILE_WIDTH, TILE_WIDTH, 1);
  dim3 gridDim(B, M, Z);
  forward_kernel<<<gridDim, blockDim, 0, 0>>>(y, x, k, B, M, C, H, W, K);
}
