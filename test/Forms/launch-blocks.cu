// Nothing guards the threads, as the launch divides the image into blocks.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// RUN: FileCheck --check-prefix=DISPATCH %s < %t.cu

// CHECK: launch grid(w exact, h exact, 1)
// CHECK: for y in 0 .. h {
// CHECK: for x in 0 .. w {
// Where blocks do not divide it, the launch means fewer outputs.
// DISPATCH: (long long)grid.y * block.y == h && (long long)grid.x * block.x == w
__global__ void conv(const float *in, const float *k, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      s += in[(y + i) * (w + 2) + x + j] * k[i * 3 + j];
  out[y * w + x] = s;
}

void run(const float *in, const float *k, float *out, int w, int h) {
  const int size = 16;
  dim3 block(size, size);
  dim3 grid(w / size, h / size);
  conv<<<grid, block>>>(in, k, out, w, h);
}
