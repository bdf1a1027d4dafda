__global__ void grad(const float *dy, const float *w, float *dx, int C, int O,
                     int H, int W, int OH, int OW, int K, int S, int pad) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.z;
  if (x < W && y < H && c < C) {
    float s = 0;
    for (int o = 0; o < O; o++)
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          int ty = y + pad - i, tx = x + pad - j;
          if (ty >= 0 && tx >= 0 && ty % S == 0 && tx % S == 0) {
            int oy = ty / S, ox = tx / S;
            if (oy < OH && ox < OW)
              s += dy[(o * OH + oy) * OW + ox] *
                   w[((o * C + c) * K + i) * K + j];
          }
        }
    dx[(c * H + y) * W + x] = s;
  }
}
