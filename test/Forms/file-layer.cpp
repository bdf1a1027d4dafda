// Weights and sizes of a namespace and of a class.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
namespace net {
constexpr int K = 3;
float weights[8][4][K][K];
static int channels = 4;
struct Layer {
  static float bias[8];
};
float Layer::bias[8];
} // namespace net

using namespace net;

// CHECK: argument bias "float *@" array from "::net::Layer::bias" variable 8
// CHECK: argument channels "int @" param from "::net::channels" variable 1
// CHECK: argument weights "float *@" array from "::net::weights" variable 288
// CHECK: array weights: float[{{8|channels}}][4][3][3] input
void forward(const float *in, float *out, int h, int w) {
  int oh = h - K + 1, ow = w - K + 1;
  for (int m = 0; m < 8; m++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float acc = Layer::bias[m];
        for (int c = 0; c < channels; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              acc += in[(c * h + y + i) * w + x + j] * weights[m][c][i][j];
        out[(m * oh + y) * ow + x] = acc;
      }
}
