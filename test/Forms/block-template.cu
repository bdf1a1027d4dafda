// The width of a block is a constant of the template.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: thread gid "blockIdx.x * 128 + threadIdx.x"
// CHECK: assume BLOCK - 128 >= 0 "'BLOCK' is the width of a block"
// CHECK: assume 128 - BLOCK >= 0 "'BLOCK' is the width of a block"
// CHECK: S1: acc += src[r][gid + t] * taps[t]
template <int BLOCK, typename T>
__global__ void rows(T *__restrict__ dst, const T *__restrict__ src,
                     const T *__restrict__ taps, int height, int cols, int n,
                     int ld) {
  const int gid = blockIdx.x * BLOCK + threadIdx.x;
  const int r = blockIdx.y;
  if (gid < cols - n + 1 && r < height) {
    T acc = T(0);
    for (int t = 0; t < n; t++)
      acc += src[r * ld + gid + t] * taps[t];
    dst[r * ld + gid] = acc;
  }
}

void run(double *dst, const double *src, const double *taps, int height,
         int cols, int n, int ld) {
  rows<128, double>
      <<<dim3((cols + 127) / 128, height), 128>>>(dst, src, taps, height, cols,
                                                  n, ld);
}
