__global__ void deconv(const float *in, const float *w, float *out, int H,
                       int W, int OH, int OW, int K, int pad) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= OW || y >= OH)
    return;
  float s = 0;
  for (int i = 0; i < K; i++) {
    int ty = y + pad - i;
    if (ty < 0 || ty % 2)
      continue;
    int iy = ty / 2;
    if (iy >= H)
      continue;
    for (int j = 0; j < K; j++) {
      int tx = x + pad - j;
      if (tx < 0 || tx % 2)
        continue;
      int ix = tx / 2;
      if (ix < W)
        s += in[iy * W + ix] * w[i * K + j];
    }
  }
  out[y * OW + x] = s;
}
