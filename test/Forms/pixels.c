// Pixels that are structures, summed in a structure.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:16,y:2 -reg=y:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
typedef struct {
  float r, g, b;
} Pixel;

// CHECK: argument in_data "const float *@" array from "in"
// CHECK: p_r += in_data[{{.*}}][x + i - half][0] * k[j][i]
// CHECK: p_b += in_data[{{.*}}][x + i - half][2] * k[j][i]
// CHECK: out_data[y][x][2] = p_b
void gaussian(const Pixel *in, Pixel *out, int width, int height,
              const float *k, int size) {
  int half = size / 2;
  for (int y = half; y < height - half; y++)
    for (int x = half; x < width - half; x++) {
      Pixel p = {0, 0, 0};
      for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) {
          Pixel q = in[(y + j - half) * width + (x + i - half)];
          p.r += in[(y + j - half) * width + (x + i - half)].r * k[j * size + i];
          p.g += q.g * k[j * size + i];
          p.b += q.b * k[j * size + i];
        }
      out[y * width + x] = p;
    }
}
