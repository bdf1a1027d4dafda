// A batch of single-channel images and one filter for all of them (image
// convolution report), in valid mode.

void conv2d(const float *restrict input, const float *restrict filter,
            float *restrict output, int batch, int height, int width,
            int filter_size) {
  int out_height = height - filter_size + 1;
  int out_width = width - filter_size + 1;
  for (int b = 0; b < batch; b++) {
    for (int row = 0; row < out_height; row++) {
      for (int col = 0; col < out_width; col++) {
        float result = 0.0f;
        for (int ky = 0; ky < filter_size; ky++) {
          for (int kx = 0; kx < filter_size; kx++) {
            result +=
                input[b * height * width + (row + ky) * width + col + kx] *
                filter[ky * filter_size + kx];
          }
        }
        output[b * out_height * out_width + row * out_width + col] = result;
      }
    }
  }
}
