// Blocks that take rows, and threads that take columns, each with their stride.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: launch grid(oh, 1, 1) block(256, 1, 1)
__global__ void conv(const float *in, const float *w, float *out, int h,
                     int cols, int k) {
  const int oh = h - k + 1, ow = cols - k + 1;
  for (int y = blockIdx.x; y < oh; y += gridDim.x) {
    for (int x = threadIdx.x; x < ow; x += blockDim.x) {
      float s = 0.0f;
      for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
          s += in[(y + i) * cols + x + j] * w[i * k + j];
      out[y * ow + x] = s;
    }
  }
}
