__global__ void decoded(const float *x, const float *w, float *y, int N, int C,
                        int H, int W, int K, int R, int stride, int pad,
                        int dil, int P, int Q) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= N * K * P * Q)
    return;
  int q = idx % Q;
  int p = idx / Q % P;
  int k = idx / (Q * P) % K;
  int n = idx / (Q * P * K);
  float sum = 0;
  for (int c = 0; c < C; c++)
    for (int r = 0; r < R; r++) {
      int h = p * stride - pad + r * dil;
      if (h < 0 || h >= H)
        continue;
      for (int s = 0; s < R; s++) {
        int v = q * stride - pad + s * dil;
        if (v >= 0 && v < W)
          sum += x[((n * C + c) * H + h) * W + v] *
                 w[((k * C + c) * R + r) * R + s];
      }
    }
  y[idx] = sum;
}
