// A kernel with device functions for the load and the store.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

__device__ __forceinline__ bool inBounds(int y, int x, int height, int width) {
  return y >= 0 && y < height && x >= 0 && x < width;
}

__device__ __forceinline__ float fetch(const float *image, int y, int x,
                                       int height, int width) {
  if (!inBounds(y, x, height, width))
    return 0.0f;
  return image[y * width + x];
}

template <typename T> __device__ void store(T *out, int index, T value) {
  out[index] = value;
}

// CHECK: S1: sum += guarded({{.*}}, image[y + dy - radius][x + dx - radius], 0.0f) * filter[dy][dx]
// CHECK: S2: out[y][x] = sum
__global__ void blur(const float *image, const float *filter, float *out,
                     int height, int width, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!inBounds(y, x, height, width))
    return;
  const int size = 2 * radius + 1;
  float sum = 0.0f;
  for (int dy = 0; dy < size; ++dy)
    for (int dx = 0; dx < size; ++dx)
      sum += fetch(image, y + dy - radius, x + dx - radius, height, width) *
             filter[dy * size + dx];
  store(out, y * width + x, sum);
}
