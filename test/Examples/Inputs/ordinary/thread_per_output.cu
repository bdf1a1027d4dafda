// A kernel with one thread an output element, zero padding and strides.

__global__ void layer(const float *x, const float *w, float *y, int C, int H,
                      int W, int M, int K, int OH, int OW, int stride,
                      int pad) {
  int ox = blockIdx.x * blockDim.x + threadIdx.x;
  int oy = blockIdx.y * blockDim.y + threadIdx.y;
  int m = blockIdx.z;
  if (ox >= OW || oy >= OH)
    return;
  float sum = 0.0f;
  for (int c = 0; c < C; c++)
    for (int r = 0; r < K; r++)
      for (int s = 0; s < K; s++) {
        int iy = oy * stride + r - pad;
        int ix = ox * stride + s - pad;
        if (iy >= 0 && iy < H && ix >= 0 && ix < W)
          sum += x[(c * H + iy) * W + ix] * w[((m * C + c) * K + r) * K + s];
      }
  y[(m * OH + oy) * OW + ox] = sum;
}

void run(const float *x, const float *w, float *y, int C, int H, int W, int M,
         int K, int OH, int OW, int stride, int pad) {
  dim3 block(16, 16);
  dim3 grid((OW + 15) / 16, (OH + 15) / 16, M);
  layer<<<grid, block>>>(x, w, y, C, H, W, M, K, OH, OW, stride, pad);
}
