// RUN: %host %s %t
// However few threads there are, they share the loop.
// CALL: run(5000, 5)
// CALL: run(300, 3)
__global__ void conv(const float *x, const float *f, float *y, int n, int K) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    float s = 0;
    for (int k = 0; k < K; k++)
      s += x[i + k] * f[k];
    y[i] = s;
  }
}

void run(const float *x, const float *f, float *y, int n, int K) {
  conv<<<4, 64>>>(x, f, y, n, K);
}
