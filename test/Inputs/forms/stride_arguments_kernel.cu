__global__ void conv(const float *in, const float *w, float *out, int C,
                     int OH, int OW, int O, int K, int in_row, int in_plane,
                     int out_row, int out_plane) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int o = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < OW && y < OH && o < O) {
    float s = 0;
    for (int c = 0; c < C; c++)
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[c * in_plane + (y + i) * in_row + x + j] *
               w[((o * C + c) * K + i) * K + j];
    out[o * out_plane + y * out_row + x] = s;
  }
}
