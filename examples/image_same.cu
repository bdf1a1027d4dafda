// The image convolution as the report has it: zeros outside of the image, the
// result as large as it, and threadIdx.x along the rows, so that neighbouring
// threads read addresses that are a row apart. The filter's width is a
// template parameter, so that its loops can be unrolled.

#define BLOCK 16

template <int filter_size>
__global__ void conv2d_same(const float *input, const float *filter,
                            float *output, int batch, int height, int width) {
  int row = blockIdx.y * blockDim.y + threadIdx.x;
  int col = blockIdx.x * blockDim.x + threadIdx.y;
  int b = blockIdx.z;
  if (row >= height || col >= width)
    return;

  float result = 0.0f;
  for (int ky = 0; ky < filter_size; ky++) {
    for (int kx = 0; kx < filter_size; kx++) {
      int in_row = row + ky - filter_size / 2;
      int in_col = col + kx - filter_size / 2;
      bool inside =
          in_row >= 0 && in_row < height && in_col >= 0 && in_col < width;
      result += (inside ? input[(b * height + in_row) * width + in_col] : 0.0f) *
                filter[ky * filter_size + kx];
    }
  }
  output[(b * height + row) * width + col] = result;
}

void conv2d(const float *input, const float *filter, float *output, int batch,
            int height, int width, cudaStream_t stream) {
  dim3 block(BLOCK, BLOCK);
  dim3 grid((width + BLOCK - 1) / BLOCK, (height + BLOCK - 1) / BLOCK, batch);
  conv2d_same<11><<<grid, block, 0, stream>>>(input, filter, output, batch,
                                              height, width);
}
