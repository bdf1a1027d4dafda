__global__ void blur(const float *in, const float *mask, float *out, int width,
                     int height, int maskWidth) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height) {
    int r = maskWidth / 2;
    float sum = 0;
    for (int i = -r; i <= r; i++)
      for (int j = -r; j <= r; j++) {
        int y = row + i, x = col + j;
        if (y >= 0 && y < height && x >= 0 && x < width)
          sum += in[y * width + x] * mask[(i + r) * maskWidth + j + r];
      }
    out[row * width + col] = sum;
  }
}
