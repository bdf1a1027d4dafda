// A program of one function.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: 1 shape
// RUN: FileCheck --check-prefix=CALL %s < %t.cu
#include <cstdio>
static float image[64 * 64], taps[25], result[60 * 60];

// CHECK: nest {{main_nes[t]}} from
// CHECK: S1: s += image[y + i][x + j] * taps[i][j]
// CALL: {{main_nes[t]_tiled\(\);}}
int main() {
  for (int i = 0; i < 64 * 64; i++)
    image[i] = i % 7;
  for (int i = 0; i < 25; i++)
    taps[i] = i % 3 - 1;
  for (int y = 0; y < 60; y++)
    for (int x = 0; x < 60; x++) {
      float s = 0;
      for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
          s += image[(y + i) * 64 + x + j] * taps[i * 5 + j];
      result[y * 60 + x] = s;
    }
  std::printf("%g\n", result[77]);
}
