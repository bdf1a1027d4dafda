__global__ void conv(const float *in, const float *w, float *out, int C, int M,
                     int groups, int H, int W, int R, int pad) {
  int ow = blockIdx.x * blockDim.x + threadIdx.x;
  int oh = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z;
  int OH = H + 2 * pad - R + 1, OW = W + 2 * pad - R + 1;
  if (ow >= OW || oh >= OH || k >= M)
    return;
  int cg = C / groups, mg = M / groups;
  int g = k / mg;
  float s = 0.f;
  for (int c = 0; c < cg; c++)
    for (int i = 0; i < R; i++)
      for (int j = 0; j < R; j++) {
        int ih = oh - pad + i, iw = ow - pad + j;
        if (ih >= 0 && ih < H && iw >= 0 && iw < W)
          s += in[((g * cg + c) * H + ih) * W + iw] *
               w[((k * cg + c) * R + i) * R + j];
      }
  out[(k * OH + oh) * OW + ow] = s;
}
