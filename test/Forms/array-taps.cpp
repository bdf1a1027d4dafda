// Filters in std::array, of one dimension and of two.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <array>
#include <vector>

// CHECK: argument taps_data "const float *@" array from "taps.data()->data()"
// CHECK: array taps_data: float[3][3] input
// CHECK: S1: s += image_data[y + i][x + j] * taps_data[i][j] * scale_data[i]
void smooth(const std::vector<float> &image, std::vector<float> &out,
            const std::array<std::array<float, 3>, 3> &taps,
            std::array<float, 3> scale, int rows, int cols) {
  for (int y = 0; y < rows - 2; ++y)
    for (int x = 0; x < cols - 2; ++x) {
      float s = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          s += image[(y + i) * cols + x + j] * taps[i][j] * scale[i];
      out[y * (cols - 2) + x] = s;
    }
}
