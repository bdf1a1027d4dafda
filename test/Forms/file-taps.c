// A filter that the file holds, constant.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// RUN: FileCheck --check-prefix=FLAT %s < %t.cu
static const float kernel[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

// CHECK: argument file_kernel "const float *@" array from "kernel" variable 9 const
// CHECK: array file_kernel: float[3][3] input
// CHECK: S1: sum += in[y + i][x + j] * file_kernel[i + 1][j + 1]
// FLAT: if (!blur_tiled_flat((void *)in, (void *)out, h, w, (void *)kernel))
void blur(const float *in, float *out, int h, int w) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float sum = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          sum += in[(y + i) * w + x + j] * kernel[i + 1][j + 1];
      out[y * w + x] = sum / 16;
    }
}
