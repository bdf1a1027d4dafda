__global__ void conv(const float *in, const float *w, float *out, int C, int H,
                     int W, int O, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  int in_plane = H * W, out_plane = OH * OW, taps = K * K;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int o = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < OW && y < OH && o < O) {
    float s = 0;
    for (int c = 0; c < C; c++) {
      const float *p = in + c * in_plane;
      const float *q = w + (o * C + c) * taps;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += p[(y + i) * W + x + j] * q[i * K + j];
    }
    out[o * out_plane + y * OW + x] = s;
  }
}
