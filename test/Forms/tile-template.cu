// Threads that compute N neighbours each, one after another: one loop over all.
// N is a constant of a template, a size, or a number.
// RUN: %convopt %s -function=constant -emit=nest | FileCheck --check-prefix=CONSTANT %s
// RUN: %convopt %s -function=constant -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=size -emit=nest | FileCheck --check-prefix=SIZE %s
// RUN: %convopt %s -function=size -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=number -emit=nest | FileCheck --check-prefix=NUMBER %s
// RUN: %convopt %s -function=number -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=twice -emit=nest | FileCheck --check-prefix=TWICE %s
// RUN: %convopt %s -function=twice -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=running -emit=nest | FileCheck --check-prefix=RUNNING %s
// VERIFIED: verified: {{[0-9]+}} shape

// CONSTANT: array in: float[W] input
// CONSTANT: thread x "blockIdx.x * blockDim.x + threadIdx.x in tiles of N"
// CONSTANT: launch grid(ceildiv(floordiv(W - 3, N) + 1, 256), 1, 1) block(256, 1, 1)
// CONSTANT: assume N - 1 >= 0 "tiles are not empty"
// CONSTANT: for x in 0 .. W - 2 {
// CONSTANT-NEXT: S0: out[x] = in[x] * k[0] + in[x + 1] * k[1] + in[x + 2] * k[2]
template <int N>
__global__ void constant(const float *in, const float *k, float *out, int W) {
  int x0 = (blockIdx.x * blockDim.x + threadIdx.x) * N;
  for (int r = 0; r < N; r++) {
    int x = x0 + r;
    if (x < W - 2)
      out[x] = in[x] * k[0] + in[x + 1] * k[1] + in[x + 2] * k[2];
  }
}
template __global__ void constant<4>(const float *, const float *, float *,
                                     int);

// SIZE: for x in 0 .. W - 2 {
__global__ void size(const float *in, const float *k, float *out, int W,
                     int N) {
  int x0 = (blockIdx.x * blockDim.x + threadIdx.x) * N;
  for (int r = 0; r < N; r++) {
    int x = x0 + r;
    if (x < W - 2)
      out[x] = in[x] * k[0] + in[x + 1] * k[1] + in[x + 2] * k[2];
  }
}

// NUMBER: thread y "blockIdx.y in tiles of 4"
// NUMBER: launch grid(ceildiv(W - 2, 256), floordiv(H + 1, 4), 1) block(256, 1, 1)
// NUMBER: for y in 0 .. H - 2 {
// NUMBER-NEXT: for x in 0 .. W - 2 {
__global__ void number(const float *in, const float *k, float *out, int H,
                       int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y0 = blockIdx.y * 4;
  if (x >= W - 2)
    return;
  for (int y = y0; y < y0 + 4 && y < H - 2; y++) {
    float s = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        s += in[(y + i) * W + x + j] * k[i * 3 + j];
    out[y * (W - 2) + x] = s;
  }
}

// TWICE: for y in 0 .. H {
// TWICE-NEXT: for x in 0 .. W {
// TWICE-NEXT: S0: out[y][x] = in[y][x] + in[y][x + 1]
template <int ROWS, int COLUMNS>
__global__ void twice(const float *in, float *out, int H, int W) {
  int y0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
  int x0 = (blockIdx.x * blockDim.x + threadIdx.x) * COLUMNS;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int y = y0 + i, x = x0 + j;
      if (y < H && x < W)
        out[y * W + x] = in[y * (W + 1) + x] + in[y * (W + 1) + x + 1];
    }
}
template __global__ void twice<2, 3>(const float *, float *, int, int);

// What a thread keeps from one to the next is not one of the loop over all.
// RUNNING: for x0_tile in 0 .. floordiv(W + 3, 4) {
// RUNNING: for r in 0 .. 4 {
__global__ void running(const float *in, float *out, int W) {
  int x0 = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float s = 0;
  for (int r = 0; r < 4; r++) {
    int x = x0 + r;
    if (x < W) {
      s += in[x];
      out[x] = s;
    }
  }
}
