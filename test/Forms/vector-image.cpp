// Images in vectors, whose sizes are arguments of their own.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <vector>

// CHECK: argument in_data "const float *@" array from "in.data()" of "in"
// CHECK: argument out_data "float *@" array from "out.data()" of "out"
// CHECK: array in_data: float[C][H][W] input
// CHECK: S1: sum += in_data[c][y + i][x + j] * weights_data[o][c][i][j]
void conv2d(const std::vector<float> &in, const std::vector<float> &weights,
            std::vector<float> &out, int C, int O, int H, int W, int K) {
  int OH = H - K + 1;
  int OW = W - K + 1;
  for (int o = 0; o < O; ++o)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x) {
        float sum = 0.0f;
        for (int c = 0; c < C; ++c)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j)
              sum += in[(c * H + y + i) * W + x + j] *
                     weights[((o * C + c) * K + i) * K + j];
        out[(o * OH + y) * OW + x] = sum;
      }
}
