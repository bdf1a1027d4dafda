// Rasmussen and Utne (2025), section 3.6.5, "same" mode: the image comes with a
// frame of zeros as wide as the filter's radius, and the result is written into
// such a frame, so that it can be the next layer's input.

template <class ElTp, int radius>
__global__ void convSame(const ElTp *input, const ElTp *kernel, ElTp *output,
                         int width, int nIn, int nOut) {
  int gidx = blockIdx.x * blockDim.x + threadIdx.x;
  int gidy = blockIdx.y * blockDim.y + threadIdx.y;
  int gidz = blockIdx.z * blockDim.z + threadIdx.z;
  if (gidx >= width || gidy >= width || gidz >= nOut)
    return;

  ElTp sum = 0.0f;
  const int size = 2 * radius + 1;
  const int pitch = width + 2 * radius;
  for (int c = 0; c < nIn; c++)
    for (int row = 0; row < size; row++)
      for (int col = 0; col < size; col++)
        sum += input[(c * pitch + gidy + row) * pitch + gidx + col] *
               kernel[((c * nOut + gidz) * size + row) * size + col];
  output[(gidz * pitch + gidy + radius) * pitch + gidx + radius] = sum;
}

void same(const float *input, const float *kernel, float *output, int width,
          int nIn, int nOut) {
  dim3 block(32, 4, 2);
  dim3 grid((width + block.x - 1) / block.x, (width + block.y - 1) / block.y,
            (nOut + block.z - 1) / block.z);
  convSame<float, 1>
      <<<grid, block>>>(input, kernel, output, width, nIn, nOut);
}
