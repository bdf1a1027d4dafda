// The convolution of naive_conv.cu as a kernel: one thread an output element,
// every size known at run time.

__global__ void conv(const float *inputs, const float *filters, float *outputs,
                     int N, int O, int H, int W, int F) {
  int OH = H - F + 1;
  int OW = W - F + 1;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int o = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < OW && y < OH && o < O) {
    float sum = 0.0f;
    for (int n = 0; n < N; n++)
      for (int i = 0; i < F; i++)
        for (int j = 0; j < F; j++)
          sum += inputs[(n * H + y + i) * W + x + j] *
                 filters[((n * O + o) * F + i) * F + j];
    outputs[(o * OH + y) * OW + x] = sum;
  }
}
