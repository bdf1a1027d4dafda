// The same layer on a flat grid (course project, ECE 408 style): a thread's
// number is taken apart into image, output map, row and column.

__global__ void conv_forward_kernel(float *output, const float *input,
                                    const float *mask, const int Batch,
                                    const int Map_out, const int Channel,
                                    const int Height, const int Width,
                                    const int K) {
  const int Height_out = Height - K + 1;
  const int Width_out = Width - K + 1;

#define out_4d(i3, i2, i1, i0)                                                 \
  output[(i3) * (Map_out * Height_out * Width_out) +                           \
         (i2) * (Height_out * Width_out) + (i1) * (Width_out) + i0]
#define in_4d(i3, i2, i1, i0)                                                  \
  input[(i3) * (Channel * Height * Width) + (i2) * (Height * Width) +          \
        (i1) * (Width) + i0]
#define mask_4d(i3, i2, i1, i0)                                                \
  mask[(i3) * (Channel * K * K) + (i2) * (K * K) + (i1) * (K) + i0]

  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Batch * Map_out * Height_out * Width_out) {
    int b = i / (Map_out * Height_out * Width_out);
    int m = i / (Height_out * Width_out) % Map_out;
    int h = i / Width_out % Height_out;
    int w = i % Width_out;

    float r = 0.0;
    for (int c = 0; c < Channel; c++) {
      for (int p = 0; p < K; p++) {
        for (int q = 0; q < K; q++) {
          r += in_4d(b, c, h + p, w + q) * mask_4d(m, c, p, q);
        }
      }
    }
    out_4d(b, m, h, w) = r;
  }

#undef out_4d
#undef in_4d
#undef mask_4d
}

void conv_forward_gpu(float *device_output, const float *device_input,
                      const float *device_mask, const int Batch,
                      const int Map_out, const int Channel, const int Height,
                      const int Width, const int K) {
  int numPixels = Batch * Map_out * (Height - K + 1) * (Width - K + 1);
  conv_forward_kernel<<<ceil(numPixels / 1024.0), 1024>>>(
      device_output, device_input, device_mask, Batch, Map_out, Channel, Height,
      Width, K);
}
