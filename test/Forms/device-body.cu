// The kernel checks its indices and hands them to a device function, with sizes in int2.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument size_x "int @" param from "size.x"
// CHECK: S1: s += in[y + i - floordiv(k_y, 2)][x + j - floordiv(k_x, 2)] * w[i][j]
template <typename T>
__device__ __forceinline__ void body(const T *in, const T *w, T *out, int2 size,
                                     int2 k, int x, int y) {
  T s = 0;
  for (int i = 0; i < k.y; i++) {
    int v = y + i - k.y / 2;
    if (v < 0 || v >= size.y)
      continue;
    for (int j = 0; j < k.x; j++) {
      int u = x + j - k.x / 2;
      if (u < 0 || u >= size.x)
        continue;
      s += in[v * size.x + u] * w[i * k.x + j];
    }
  }
  out[y * size.x + x] = s;
}

__global__ void conv(const double *in, const double *w, double *out, int2 size,
                     int2 k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < size.x && y < size.y)
    body(in, w, out, size, k, x, y);
}
