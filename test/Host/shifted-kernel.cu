// RUN: %host %s %t
// Threads begin at the first pixel that has all its neighbours, in rows whose
// lengths are arguments of their own.
// CALL: run(20, 30, 3, 96, 97)
// CALL: run(33, 70, 1, 70, 75)
__global__ void inner(const float *src, const float *k, float *dst, int h,
                      int w, int cn, int sstep, int dstep) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1)
    return;
  for (int c = 0; c < cn; c++) {
    float sum = 0;
    for (int i = -1; i <= 1; i++)
      for (int j = -1; j <= 1; j++)
        sum += src[(y + i) * sstep + (x + j) * cn + c] *
               k[(i + 1) * 3 + j + 1];
    dst[y * dstep + x * cn + c] = sum;
  }
}

void run(const float *src, const float *k, float *dst, int h, int w, int cn,
         int sstep, int dstep) {
  dim3 block(16, 16), grid((w + 13) / 16, (h + 13) / 16);
  inner<<<grid, block>>>(src, k, dst, h, w, cn, sstep, dstep);
}
