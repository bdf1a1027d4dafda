__global__ void blur(const float *in, const float *mask, float *out, int width,
                     int height, int channels, int maskWidth) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int maskRadius = maskWidth / 2;
  if (col < width && row < height)
    for (int k = 0; k < channels; k++) {
      float accum = 0;
      for (int y = -maskRadius; y <= maskRadius; y++)
        for (int x = -maskRadius; x <= maskRadius; x++) {
          int xOffset = col + x, yOffset = row + y;
          if (xOffset >= 0 && xOffset < width && yOffset >= 0 &&
              yOffset < height)
            accum += in[(yOffset * width + xOffset) * channels + k] *
                     mask[(y + maskRadius) * maskWidth + x + maskRadius];
        }
      out[(row * width + col) * channels + k] = accum;
    }
}
