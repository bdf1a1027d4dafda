// Rows that are a pitch in bytes apart.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: param in_pitch_elements: size_t = floordiv(in_pitch, 4)
// CHECK: assume -(in_pitch % 4) >= 0
// CHECK: S1: s += row[y + i][x + j] * f[i][j]
__global__ void conv(const float *row, size_t in_pitch, const float *f,
                     float *out, size_t out_pitch, int H, int W, int K) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > W - K || y > H - K)
    return;
  float s = 0;
  for (int i = 0; i < K; ++i) {
    const float *from =
        (const float *)((const char *)row + (y + i) * in_pitch);
    for (int j = 0; j < K; ++j)
      s += from[x + j] * f[i * K + j];
  }
  ((float *)((char *)out + y * out_pitch))[x] = s;
}
