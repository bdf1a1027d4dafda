__global__ void deconv(const float *in, const float *w, float *out, int H,
                       int W, int OH, int OW, int K, int S, int pad) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= OW || y >= OH)
    return;
  float s = 0;
  for (int i = 0; i < K; i++)
    for (int j = 0; j < K; j++) {
      int iy = (y + pad - i) / S, ix = (x + pad - j) / S;
      if ((y + pad - i) % S == 0 && (x + pad - j) % S == 0 && iy >= 0 &&
          iy < H && ix >= 0 && ix < W)
        s += in[iy * W + ix] * w[i * K + j];
    }
  out[y * OW + x] = s;
}
