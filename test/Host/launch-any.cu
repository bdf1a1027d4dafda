// RUN: %host %s %t
// RUN: %host %s %t -tile=32,2 -reg=2
// Launches of one kernel that agree on nothing: each means its own threads.
// CALL: run(40, 48)
// CALL: run(13, 16)
__global__ void blur(const float *src, const float *k, float *dst, int w,
                     int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      int row = y + i, column = x + j;
      if (row >= 0 && row < limit && column >= 0 && column < w)
        sum += src[row * w + column] * k[(i + 1) * 3 + j + 1];
    }
  dst[y * w + x] = sum;
}

void run(const float *src, const float *k, float *dst, int h, int w) {
  blur<<<dim3(w / 16, (h + 7) / 8), dim3(16, 8)>>>(src, k, dst, w, h);
  blur<<<dim3(w, h / 2), 1>>>(src, k, dst, w, h);
  blur<<<dim3(w / 8, 3), dim3(8, 2)>>>(src, k, dst, w, h / 3);
}
