// RUN: %host %s %t
// A loop that the threads of a block share runs with blocks of any size.
// CALL: run(3, 40, 66, 5, 3)
// CALL: run(2, 33, 50, 4, 5)
__global__ void rows(const float *x, const float *w, float *y, int C, int H,
                     int W, int M, int K) {
  int OW = W - K + 1, OH = H - K + 1;
  int r = blockIdx.x, m = blockIdx.y;
  for (int s = threadIdx.x; s < OW; s += blockDim.x) {
    float a = 0;
    for (int c = 0; c < C; c++)
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          a += x[(c * H + r + i) * W + s + j] * w[((m * C + c) * K + i) * K + j];
    y[(m * OH + r) * OW + s] = a;
  }
}
void run(const float *x, const float *w, float *y, int C, int H, int W, int M,
         int K) {
  rows<<<dim3(H - K + 1, M), 128>>>(x, w, y, C, H, W, M, K);
}
