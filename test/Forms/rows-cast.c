// A pointer into an array with rows that is converted to one to its elements
// counts these: of a row after it, and of the fields of a pixel.
// RUN: %convopt %s -function=rows -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=greens -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=reds -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shape
typedef struct {
  unsigned char r, g, b;
} Pixel;

void rows(int h, int w, const float in[h][w], float out[h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = ((const float *)(in + y))[x];
}

void greens(int h, int w, const Pixel in[h][w], Pixel out[h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x].r = ((const unsigned char *)&in[y][x])[1];
}

void reds(int h, int w, const Pixel in[h][w], Pixel out[h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      *(unsigned char *)&out[y][x] = in[y][x].g;
}
