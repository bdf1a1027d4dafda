// One index of all threads of a grid of two dimensions, as where a grid of one
// could not have enough blocks: rows of blocks, or of threads.
// RUN: %convopt %s -emit=nest -function=blocks 2>/dev/null | FileCheck --check-prefix=BLOCKS %s
// RUN: %convopt %s -emit=nest -function=lines 2>/dev/null | FileCheck --check-prefix=LINES %s
// RUN: %convopt %s -emit=nest -function=squares 2>/dev/null | FileCheck --check-prefix=SQUARES %s
// RUN: %convopt %s -function=blocks -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: FileCheck --check-prefix=DISPATCH --input-file=%t.cu %s
// RUN: %convopt %s -function=lines -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=squares -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: not %convopt %s -function=crossed -emit=nest 2>&1 | FileCheck --check-prefix=CROSSED %s
// VERIFIED: verified: {{[0-9]+}} shape

// BLOCKS:      thread y "((blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x) / w"
// BLOCKS-NEXT: thread x "((blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x) % w"
// DISPATCH: (long long)grid.x * block.x * grid.y >=
__global__ void blocks(const float *in, float *out, int total, int w) {
  int id = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (id >= total)
    return;
  int x = id % w, y = id / w;
  out[y * w + x] = in[y * w + x] * 2;
}

// LINES: thread id_div "(blockIdx.x * blockDim.x + threadIdx.x + (blockIdx.y * blockDim.y + threadIdx.y) * gridDim.x * blockDim.x) / (w)"
__global__ void lines(const float *in, const float *f, float *out, int w, int h,
                      int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int id = y * gridDim.x * blockDim.x + x;
  if (id < w * h) {
    int c = id % w, l = id / w;
    float s = 0;
    for (int i = 0; i < r; i++)
      if (c + i < w)
        s += in[l * w + c + i] * f[i];
    out[id] = s;
  }
}

// SQUARES: thread i "(blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x * blockDim.y + threadIdx.x + threadIdx.y * blockDim.x"
__global__ void squares(const float *in, float *out, int n) {
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int i = block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x +
          threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}

// A row of its own and all rows.
// CROSSED: error: {{.*}} use the same index of the hardware
__global__ void crossed(const float *in, float *out, int n, int m) {
  int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (i < n && y < m)
    out[i * m + y] = in[i];
}
