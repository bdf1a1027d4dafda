// A thread loops over the colours of its pixel, with a mask in constant memory.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=3,32 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for ch in 0 .. 3 {
// CHECK: S1: pix += mask[i + 2][j + 2] * in[row + i][col + j][ch]
#define CHANNELS 3
#define R 2
__constant__ float mask[2 * R + 1][2 * R + 1];

__global__ void blur(const unsigned char *__restrict__ in,
                     unsigned char *__restrict__ out, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height) {
    for (int ch = 0; ch < CHANNELS; ++ch) {
      float pix = 0;
      for (int i = -R; i < R + 1; ++i)
        for (int j = -R; j < R + 1; ++j) {
          const int r = row + i, c = col + j;
          if (r > -1 && r < height && c > -1 && c < width)
            pix += mask[i + R][j + R] * in[(r * width + c) * CHANNELS + ch];
        }
      out[(row * width + col) * CHANNELS + ch] = (unsigned char)pix;
    }
  }
}
