// RUN: %host %s %t
// The row pass of a separable filter; every thread has a pixel.
// CALL: run(33, 100, 4)
// CALL: run(20, 64, 1)
__global__ void rows(const float *src, const float *k, float *dst, int h, int w,
                     int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x >= w)
    return;
  float sum = 0;
  for (int t = -radius; t <= radius; t++) {
    int xx = x + t;
    if (xx >= 0 && xx < w)
      sum += src[y * w + xx] * k[radius - t];
  }
  dst[y * w + x] = sum;
}

void run(const float *src, const float *k, float *dst, int h, int w,
         int radius) {
  rows<<<dim3((w + 63) / 64, h), 64>>>(src, k, dst, h, w, radius);
}
