// RUN: %host %s %t
// Borders are told by equality, and written before the thread returns.
// CALL: run(37, 70)
// CALL: run(3, 3)
__global__ void blur(const float *x, float *y, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= h || c >= w)
    return;
  if (r == 0 || r == h - 1 || c == 0 || c == w - 1) {
    y[r * w + c] = 0;
    return;
  }
  float s = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      s += x[(r + i) * w + c + j];
  y[r * w + c] = s / 9;
}

void run(const float *x, float *y, int h, int w) {
  blur<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, y, h, w);
}
