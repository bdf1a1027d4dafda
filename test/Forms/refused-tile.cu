// Refused: a kernel that has a tile in shared memory already, of a size that the launch gives.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+5]]:{{[0-9]+}}: error: 'tile' is in shared memory: this kernel is already staged [already-staged]
// CHECK: note: give convopt the naive kernel
template <typename T>
__global__ void rows(const T *in, const T *w, T *out, int width, int height,
                     int r) {
  extern __shared__ float tile[];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  const int at = threadIdx.x + r;
  tile[at] = x < width ? in[y * width + x] : T(0);
  if (threadIdx.x < r) {
    tile[threadIdx.x] = x >= r ? in[y * width + x - r] : T(0);
    tile[at + blockDim.x] =
        x + blockDim.x < width ? in[y * width + x + blockDim.x] : T(0);
  }
  __syncthreads();
  if (x >= width)
    return;
  T s = 0;
  for (int d = -r; d <= r; d++)
    s += tile[at + d] * w[d + r];
  out[y * width + x] = s;
}

void run(const float *in, const float *w, float *out, int width, int height,
         int r) {
  rows<float><<<dim3((width + 127) / 128, height), 128,
                (128 + 2 * r) * sizeof(float)>>>(in, w, out, width, height, r);
}
