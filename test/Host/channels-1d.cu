// RUN: %host %s %t
// CALL: run(3, 5, 100, 7)
// CALL: run(8, 4, 64, 3)
__global__ void conv(const float *x, const float *f, float *y, int C, int M,
                     int N, int K) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int m = blockIdx.y;
  if (i >= N - K + 1)
    return;
  float sum = 0;
  for (int c = 0; c < C; c++)
    for (int j = 0; j < K; j++)
      sum += x[c * N + i + j] * f[(m * C + c) * K + j];
  y[m * (N - K + 1) + i] = sum;
}

void run(const float *x, const float *f, float *y, int C, int M, int N, int K) {
  dim3 grid((N - K + 1 + 127) / 128, M);
  conv<<<grid, 128>>>(x, f, y, C, M, N, K);
}
