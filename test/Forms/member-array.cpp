// Weights in arrays that are members, with sizes that are enumerators.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: acc += in[c][y + i][x + j] * weights[o][c][i][j]
enum { In = 3, Out = 8, K = 3 };

class Layer {
  float weights[Out][In][K][K];
  float bias[Out];

public:
  void forward(const float *in, float *out, int h, int w) const {
    const int oh = h - K + 1, ow = w - K + 1;
    for (int o = 0; o < Out; o++)
      for (int y = 0; y < oh; y++)
        for (int x = 0; x < ow; x++) {
          float acc = bias[o];
          for (int c = 0; c < In; c++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++)
                acc += in[(c * h + y + i) * w + x + j] * weights[o][c][i][j];
          out[(o * oh + y) * ow + x] = acc > 0 ? acc : 0;
        }
  }
};
