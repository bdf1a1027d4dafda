// The same as a kernel, as it is before any tuning (image convolution report):
// threadIdx.x walks down the rows, so that neighbouring threads read addresses
// that are a row apart.

#define BLOCK 16

__global__ void conv2d_baseline(const float *input, const float *filter,
                                float *output, int batch, int height, int width,
                                int filter_size) {
  int out_height = height - filter_size + 1;
  int out_width = width - filter_size + 1;
  int row = blockIdx.y * blockDim.y + threadIdx.x;
  int col = blockIdx.x * blockDim.x + threadIdx.y;
  int b = blockIdx.z;
  if (row >= out_height || col >= out_width)
    return;

  float result = 0.0f;
  for (int ky = 0; ky < filter_size; ky++) {
    for (int kx = 0; kx < filter_size; kx++) {
      const int in_idx = b * height * width + (row + ky) * width + (col + kx);
      const int filter_idx = ky * filter_size + kx;
      const float pixel = input[in_idx];
      const float weight = filter[filter_idx];
      result += pixel * weight;
    }
  }
  output[b * out_height * out_width + row * out_width + col] = result;
}

void conv2d(const float *input, const float *filter, float *output, int batch,
            int height, int width, int filter_size, cudaStream_t stream) {
  int out_height = height - filter_size + 1;
  int out_width = width - filter_size + 1;
  dim3 block(BLOCK, BLOCK);
  dim3 grid((out_width + BLOCK - 1) / BLOCK, (out_height + BLOCK - 1) / BLOCK,
            batch);
  conv2d_baseline<<<grid, block, 0, stream>>>(input, filter, output, batch,
                                              height, width, filter_size);
}
