// Pixels in arrays that have rows.
// RUN: %convopt %s -function=soften -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -function=soften -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=soften -tile=8,8 -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=fixed -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: sed '/^void soften/,$d' %s > %t.cpp
// RUN: %convopt %t.cpp -emit=nest 2>/dev/null | FileCheck %s --check-prefix=FIXED
// RUN: %convopt %t.cpp -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// CHECK: array {{.*}}in_data: unsigned char[h][w][3] input
// CHECK: = (in_data[y - 1][x][2] + in_data[y + 1][x][2]) / 2
// FIXED: parameter in "const Pixel @[20][33]" object "const Pixel (*@)[33]"
// FIXED: array {{.*}}in_data: unsigned char[{{.*}}][33][3] input
// VERIFIED: verified: {{[0-9]+}} shape
typedef struct {
  unsigned char b, g, r;
} Pixel;
void fixed(const Pixel in[20][33], Pixel out[20][33], int n) {
  for (int y = 0; y < n; ++y)
    for (int x = 1; x < 32; ++x) {
      out[y][x].b = in[y][x + 1].b;
      out[y][x].g = in[y][x].g / 2 + in[y][x - 1].r / 2;
      out[y][x].r = in[y][x].r;
    }
}
void soften(int h, int w, Pixel in[h][w], Pixel out[h][w]) {
  for (int y = 1; y < h - 1; ++y)
    for (int x = 0; x < w; ++x) {
      out[y][x] = in[y][x];
      out[y][x].r = (in[y - 1][x].r + in[y + 1][x].r) / 2;
    }
}
