// RUN: %host %s %t
// The image filter of textbooks.
// CALL: run(90, 70, 5)
// CALL: run(64, 33, 3)
__global__ void filter(const float *image, const float *mask, float *result,
                       int width, int height, int maskWidth) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int r = maskWidth / 2;
  if (col < width && row < height) {
    float sum = 0;
    for (int i = -r; i <= r; i++)
      for (int j = -r; j <= r; j++) {
        int y = row + i, x = col + j;
        if (y >= 0 && y < height && x >= 0 && x < width)
          sum += image[y * width + x] * mask[(i + r) * maskWidth + j + r];
      }
    result[row * width + col] = sum;
  }
}

void run(const float *image, const float *mask, float *result, int width,
         int height, int maskWidth) {
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  filter<<<grid, block>>>(image, mask, result, width, height, maskWidth);
}
