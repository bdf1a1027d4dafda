// The layer specialised for 7 x 7 filters (course project, ECE 408 style), its
// pointers promised not to alias. The tile's corner has names of its own.

#define TILE_WIDTH 16
#define FILTER_WIDTH 7

__global__ void conv_forward_kernel(float *__restrict__ y,
                                    const float *__restrict__ x,
                                    const float *__restrict__ k, const int B,
                                    const int M, const int C, const int H,
                                    const int W) {
  const int H_out = H - FILTER_WIDTH + 1;
  const int W_out = W - FILTER_WIDTH + 1;

#define y4d(i3, i2, i1, i0)                                                    \
  y[(i3) * (M * H_out * W_out) + (i2) * (H_out * W_out) + (i1) * (W_out) + i0]
#define x4d(i3, i2, i1, i0)                                                    \
  x[(i3) * (C * H * W) + (i2) * (H * W) + (i1) * (W) + i0]
#define k4d(i3, i2, i1, i0)                                                    \
  k[(i3) * (C * FILTER_WIDTH * FILTER_WIDTH) +                                 \
    (i2) * (FILTER_WIDTH * FILTER_WIDTH) + (i1) * (FILTER_WIDTH) + i0]

  int horizontalTiles = ceil((W_out) * 1.0 / TILE_WIDTH);
  int b = blockIdx.x, m = blockIdx.y;
  int h_upperLeft = (blockIdx.z / horizontalTiles) * TILE_WIDTH;
  int w_upperLeft = (blockIdx.z % horizontalTiles) * TILE_WIDTH;
  int h = h_upperLeft + threadIdx.y, w = w_upperLeft + threadIdx.x;

  if (h < H_out && w < W_out) {
    float acc = 0.0f;
    for (int c = 0; c < C; c++) {
#pragma unroll
      for (int r = 0; r < FILTER_WIDTH; r++) {
#pragma unroll
        for (int col = 0; col < FILTER_WIDTH; col++) {
          acc += x4d(b, c, h + r, w + col) * k4d(m, c, r, col);
        }
      }
    }
    y4d(b, m, h, w) = acc;
  }

#undef y4d
#undef x4d
#undef k4d
}

void conv_forward_gpu(float *device_y, const float *device_x,
                      const float *device_k, const int B, const int M,
                      const int C, const int H, const int W) {
  dim3 blockDim(TILE_WIDTH, TILE_WIDTH, 1);
  int Z = (int)ceil((W - FILTER_WIDTH + 1) * 1.0 / TILE_WIDTH) *
          (int)ceil((H - FILTER_WIDTH + 1) * 1.0 / TILE_WIDTH);
  dim3 gridDim(B, M, Z);
  conv_forward_kernel<<<gridDim, blockDim>>>(device_y, device_x, device_k, B, M,
                                             C, H, W);
}
