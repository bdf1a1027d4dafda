// A block for each row, as wide as the image or the launch says.
// RUN: %convopt %s -function=guarded -emit=nest | FileCheck --check-prefix=GUARDED %s
// RUN: %convopt %s -function=guarded -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: FileCheck --check-prefix=COVERS %s < %t.cu
// RUN: %convopt %s -function=rows -emit=nest | FileCheck --check-prefix=ROWS %s
// RUN: %convopt %s -function=rows -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: FileCheck --check-prefix=EXACT %s < %t.cu
// RUN: %convopt %s -function=line -emit=nest | FileCheck --check-prefix=LINE %s
// RUN: %convopt %s -function=line -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=ANY %s
// RUN: FileCheck --check-prefix=TAKEN %s < %t.cu
// VERIFIED: verified: {{[0-9]+}} shapes
// ANY: remark: how far 'x' goes is up to the launch alone: 'block_x' is its blockDim.x [launch]
// ANY: verified: {{[0-9]+}} shapes

// A wider block does no more, and none is wider than 1024.
// GUARDED: launch grid(height, 1, 1) block(width, 1, 1)
// GUARDED: assume 1024 - width >= 0 "a block has at most 1024 threads"
// COVERS: {{^ }}const bool covers =
// COVERS-NEXT: {{^ }}(long long)grid.x >= height && (long long)block.x >= width;
__global__ void guarded(const unsigned char *in, unsigned char *out, int width,
                        int height) {
  int x = threadIdx.x;
  int y = blockIdx.x;
  if (x >= width || y >= height)
    return;
  int sum = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      int row = y + i, column = x + j;
      if (row < 0 || row >= height || column < 0 || column >= width)
        continue;
      sum += in[row * width + column];
    }
  out[y * width + x] = sum / 9;
}

// Without a guard the width is that of the output's rows, and the launch's.
// ROWS: launch grid(blocks_x exact, ceildiv(n, 16), 1) block(w exact, 16, 1)
// EXACT: {{^ }}const bool covers = (long long)grid.x == blocks_x &&
// EXACT-NEXT: {{^ }}(long long)block.x == w &&
// EXACT-NEXT: {{^ }}(long long)grid.y >= (n + 15) / 16 && block.y == 16;
__global__ void rows(const float *in, const float *k, float *out, int n, int w,
                     int taps) {
  int x = threadIdx.x, plane = blockIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (y >= n)
    return;
  float sum = 0;
  for (int t = 0; t < taps; t++)
    sum += in[(plane * n + y) * (w + taps - 1) + x + t] * k[t];
  out[(plane * n + y) * w + x] = sum;
}

// LINE: argument block_x "int @" param from blockDim.x
// LINE: launch grid(1, 1, 1) block(block_x exact, 1, 1)
// TAKEN: {{^ }}const int block_x = block.x;
__global__ void line(const float *in, const float *k, float *out, int taps) {
  int x = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < taps; t++)
    sum += in[x + t] * k[t];
  out[x] = sum;
}
