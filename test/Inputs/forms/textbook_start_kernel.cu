__global__ void blur(const float *in, const float *mask, float *out, int width,
                     int height, int maskWidth) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height)
    return;
  float sum = 0;
  int startCol = col - maskWidth / 2;
  int startRow = row - maskWidth / 2;
  for (int i = 0; i < maskWidth; i++)
    for (int j = 0; j < maskWidth; j++) {
      int y = startRow + i, x = startCol + j;
      if (y > -1 && y < height && x > -1 && x < width)
        sum += in[y * width + x] * mask[i * maskWidth + j];
    }
  out[row * width + col] = sum;
}
