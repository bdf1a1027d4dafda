// A helper that sets a flag, and a flag for the threads that have an output.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

__device__ bool inside(int y, int x, int h, int w) {
  bool ok = true;
  if (y < 0 || y >= h)
    ok = false;
  if (x < 0 || x >= w)
    ok = false;
  return ok;
}

// CHECK: for y in 0 .. h
// CHECK: for x in 0 .. w
// CHECK: if x + j - floordiv(k, 2) >= 0 and w + floordiv(k, 2) - x - j - 1 >= 0 and y + i - floordiv(k, 2) >= 0 and h + floordiv(k, 2) - y - i - 1 >= 0
__global__ void conv(const float *in, const float *f, float *out, int h, int w,
                     int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  bool active = x < w;
  active &= y < h;
  if (!active)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      if (inside(y + i - k / 2, x + j - k / 2, h, w))
        s += in[(y + i - k / 2) * w + x + j - k / 2] * f[i * k + j];
  out[y * w + x] = s;
}
