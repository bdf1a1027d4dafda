// Channels last: three values of a tile are channels, columns and rows.
// RUN: %convopt %s -tile=32,2,2 -reg=8,4 -Rpass-analysis=roles -o %t.roles.cu 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32,2,2 -reg=8,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED --check-prefix=TILE %s
// VERIFIED: verified: {{[0-9]+}} shape
// TILE: 32 x 2 x 2 threads a block, 32 outputs a thread (y 4, x 8)
// ROLES: loop 'y' is z, the third dimension of the output
// ROLES: loop 'x' is y, the output row
// ROLES: loop 'k' is x, the output column
// CHECK: out[y][x][k] = acc
#define IDX3(y, x, c, W, C) (((y) * (W) + (x)) * (C) + (c))
__global__ void conv_hwc(const float *__restrict__ in, const float *__restrict__ filt, float *__restrict__ out, int H, int W, int C, int K, int R, int S) {
  int k = threadIdx.x + blockIdx.x * blockDim.x;
  int x = blockIdx.y;
  int y = blockIdx.z;
  if (k >= K) return;
  float acc = 0.0f;
  for (int r = 0; r < R; r++)
    for (int s = 0; s < S; s++)
      for (int c = 0; c < C; c++)
        acc = fmaf(in[IDX3(y + r, x + s, c, W, C)], filt[((r * S + s) * C + c) * K + k], acc);
  out[IDX3(y, x, k, W - S + 1, K)] = acc;
}
void launch(const float *in, const float *f, float *out, int H, int W, int C, int K, int R, int S) {
  dim3 grid((K + 63) / 64, W - S + 1, H - R + 1);
  conv_hwc<<<grid, 64>>>(in, f, out, H, W, C, K, R, S);
}
