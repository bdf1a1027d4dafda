// The output's declaration says how many threads there are.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: 1 shape
#define N 64

// CHECK: launch grid(ceildiv(64, 32) exact, ceildiv(64, 8) exact, 1) block(32, 8, 1)
// CHECK: for y in 0 .. 64 {
// CHECK: for x in 0 .. 64 {
__global__ void conv(const float in[N + 4][N + 4], const float k[5][5],
                     float out[N][N]) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  float s = 0;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++)
      s += in[y + i][x + j] * k[i][j];
  out[y][x] = s;
}
