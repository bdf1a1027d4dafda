// A status after loops that count by `while`, and sizes in an array of 'short'.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:8,y:4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument dims_2 "short @" param from "dims[2]"
// CHECK: S1: sum += in[y + i][x + j] * w[i][j]
#include <stdio.h>
int filter(const float *in, const float *w, float *out, const short *dims) {
  int y = 0, x;
  const int H = dims[0], W = dims[1];
  if (dims[2] > H || dims[2] > W)
    return -1;
  while (y <= H - dims[2]) {
    x = 0;
    while (x <= W - dims[2]) {
      float sum = 0;
      for (int i = 0; i < dims[2]; i++)
        for (int j = 0; j < dims[2]; j++)
          sum += in[(y + i) * W + x + j] * w[i * dims[2] + j];
      out[y * (W - dims[2] + 1) + x] = sum;
      x++;
    }
    ++y;
  }
  puts("filtered");
  return 0;
}
