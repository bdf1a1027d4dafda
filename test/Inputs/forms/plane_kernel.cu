__global__ void conv(const float *in, const float *w, float *out, int C, int H,
                     int W, int O, int K, int pad) {
  const int plane = H * W;
  const int OH = H + 2 * pad - K + 1, OW = W + 2 * pad - K + 1;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int o = blockIdx.z;
  if (x >= OW || y >= OH || o >= O)
    return;
  float s = 0;
  for (int c = 0; c < C; c++)
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++) {
        int iy = y + i - pad, ix = x + j - pad;
        if (iy >= 0 && iy < H && ix >= 0 && ix < W)
          s += in[c * plane + iy * W + ix] * w[o * C * K * K + c * K * K + i * K + j];
      }
  out[o * OH * OW + y * OW + x] = s;
}
