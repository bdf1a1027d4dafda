__global__ void conv(const float *in, const float *w, float *out, int N, int C,
                     int H, int W, int O, int OH, int OW, int KH, int KW,
                     int SH, int SW, int DH, int DW, int PH, int PW) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int o = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= OW || y >= OH || o >= O)
    return;
  for (int n = 0; n < N; n++) {
    float s = 0;
    for (int c = 0; c < C; c++)
      for (int i = 0; i < KH; i++)
        for (int j = 0; j < KW; j++) {
          int iy = y * SH - PH + i * DH;
          int ix = x * SW - PW + j * DW;
          if (iy >= 0 && iy < H && ix >= 0 && ix < W)
            s += in[((n * C + c) * H + iy) * W + ix] *
                 w[((o * C + c) * KH + i) * KW + j];
        }
    out[((n * O + o) * OH + y) * OW + x] = s;
  }
}
