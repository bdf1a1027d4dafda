// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shapes
// Pixels of a periodic image, which are stored as vectors where they can be.
__global__ void blur(const uchar4 *in, uchar4 *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int r = 0, g = 0, b = 0, a = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      uchar4 p = in[(y + i) % h * w + (x + j) % w];
      r += p.x;
      g += p.y;
      b += p.z;
      a += p.w;
    }
  out[y * w + x] = make_uchar4(r / 9, g / 9, b / 9, a / 9);
}
