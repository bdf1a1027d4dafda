// How many outputs there are is an argument beside the image's size.
__global__ void depthwise(const float *in, const float *w, float *out, int C,
                          int H, int W, int OH, int OW, int step) {
  const int c = blockIdx.x;
  const float *image = in + (blockIdx.y * C + c) * H * W;
  float *row = out + (blockIdx.y * C + c) * OH * OW;
  for (int y = threadIdx.y; y < OH; y += blockDim.y)
    for (int x = threadIdx.x; x < OW; x += blockDim.x) {
      float sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          int v = y * step + i - 1, u = x * step + j - 1;
          if (v >= 0 && v < H && u >= 0 && u < W)
            sum += image[v * W + u] * w[c * 9 + i * 3 + j];
        }
      row[y * OW + x] = sum;
    }
}
