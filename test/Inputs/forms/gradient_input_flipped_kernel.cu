__global__ void grad(const float *dy, const float *w, float *dx, int C, int O,
                     int H, int W, int K, int pad) {
  int OH = H + 2 * pad - K + 1, OW = W + 2 * pad - K + 1;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.z;
  if (x >= W || y >= H || c >= C)
    return;
  float s = 0;
  for (int o = 0; o < O; o++)
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++) {
        int oy = y - (K - 1 - pad) + i, ox = x - (K - 1 - pad) + j;
        if (oy < 0 || oy >= OH || ox < 0 || ox >= OW)
          continue;
        s += dy[(o * OH + oy) * OW + ox] *
             w[((o * C + c) * K + (K - 1 - i)) * K + (K - 1 - j)];
      }
  dx[(c * H + y) * W + x] = s;
}
