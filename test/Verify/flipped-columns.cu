// The width of rows from which columns are counted back is no step of a window:
// each kernel gets sizes that it takes.
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: by flipped_tiled_KH5_KW5
// CHECK-NOT: ran in no shape
// CHECK: verified: {{[0-9]+}} shapes
__global__ void flipped(const float *in, const float *f, float *out, int W,
                        int KH, int KW, int OH, int OW) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= OH || x >= OW)
    return;
  float sum = 0;
  for (int i = 0; i < KH; ++i)
    for (int j = 0; j < KW; ++j)
      sum += in[(y + i) * W + W - 1 - x - j] * f[i * KW + j];
  out[y * OW + x] = sum;
}
