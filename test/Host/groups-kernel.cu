// RUN: %host %s %t
// The group of a thread's output channel, of which the launch alone says how
// many there are.
// CALL: run(4, 21, 33, 8, 3, 3, 2, 1)
// CALL: run(6, 17, 20, 9, 5, 3, 3, 0)
__global__ void conv(const float *in, const float *f, float *out, int C, int H,
                     int W, int K, int R, int S, int groups, int pad) {
  int OH = H + 2 * pad - R + 1, OW = W + 2 * pad - S + 1;
  int ow = blockIdx.x * blockDim.x + threadIdx.x;
  int oh = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z;
  if (ow >= OW || oh >= OH)
    return;
  int cpg = C / groups;
  int g = k / (K / groups);
  float v = 0.0f;
  for (int c = 0; c < cpg; ++c)
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s) {
        int ih = oh + r - pad, iw = ow + s - pad;
        if (ih >= 0 && ih < H && iw >= 0 && iw < W)
          v += in[((g * cpg + c) * H + ih) * W + iw] *
               f[((k * cpg + c) * R + r) * S + s];
      }
  out[(k * OH + oh) * OW + ow] = v;
}

void run(const float *in, const float *f, float *out, int C, int H, int W,
         int K, int R, int S, int groups, int pad) {
  dim3 block(16, 16);
  dim3 grid((W + 2 * pad - S + 16) / 16, (H + 2 * pad - R + 16) / 16, K);
  conv<<<grid, block>>>(in, f, out, C, H, W, K, R, S, groups, pad);
}
