// All that the nest works on is the file's, and it takes nothing.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -shape=file_radius=0 -shape=file_radius=1 -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2 -reg=2 -verify=cpu -shape=file_radius=0 -shape=file_radius=1 -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: 2 shapes
#define N 34
#define K 3

static double image[N][N], result[N - K + 1][N - K + 1];
static double weights[K * K];
static int radius = 1;
static double scale;

// CHECK: argument file_radius "int @" param from "radius" variable 1
// CHECK: argument file_scale "double @" scalar from "scale" in "scale" variable 1
// CHECK: array file_result: double[32][32] output
// What is in an array is not more than it has: K x K of the largest radius.
// CHECK: assume 8 - 4 * file_radius - 4 * file_radius * file_radius >= 0 "'file_weights' has 9 elements"
void conv(void) {
  for (int y = 0; y < N - K + 1; y++)
    for (int x = 0; x < N - K + 1; x++) {
      result[y][x] = 0;
      for (int i = 0; i < 2 * radius + 1; i++)
        for (int j = 0; j < 2 * radius + 1; j++)
          result[y][x] += image[y + i][x + j] *
                          weights[i * (2 * radius + 1) + j] * scale;
    }
}
