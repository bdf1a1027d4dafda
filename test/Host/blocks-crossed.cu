// RUN: %host %s %t
// Threads along x with blocks along y: the size of a block is the launch's.
// CALL: run(20, 33, 40, 3)
// CALL: run(9, 70, 32, 5)
__global__ void channels(const float *x, const float *w, float *y, int H, int W,
                         int M, int K) {
  const int OW = W - K + 1, OH = H - K + 1;
  const int m = blockIdx.y * blockDim.x + threadIdx.x;
  const int ox = blockIdx.x, oy = blockIdx.z;
  if (m >= M || oy >= OH)
    return;
  float sum = 0;
  for (int i = 0; i < K; i++)
    for (int j = 0; j < K; j++)
      sum += x[(oy + i) * W + ox + j] * w[(m * K + i) * K + j];
  y[(oy * OW + ox) * M + m] = sum;
}
void run(const float *x, const float *w, float *y, int H, int W, int M, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  channels<<<dim3(OW, (M + 31) / 32, OH), dim3(32)>>>(x, w, y, H, W, M, K);
}
