// A layer that overrides a virtual method, with pairs of sizes and vectors of weights.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: s += in[c][y * stride_first + i - pad_first][x * stride_second + j - pad_second] * weight_data[o][c][i][j]
#include <utility>
#include <vector>

struct Layer {
  virtual ~Layer() = default;
  virtual void forward(const float *in, float *out, int h, int w) = 0;
};

class Conv : public Layer {
  int in_c, out_c;
  std::pair<int, int> kernel, stride, pad;
  std::vector<float> weight, bias;

public:
  void forward(const float *in, float *out, int h, int w) override {
    const int oh = (h + 2 * pad.first - kernel.first) / stride.first + 1;
    const int ow = (w + 2 * pad.second - kernel.second) / stride.second + 1;
    for (int o = 0; o < out_c; ++o)
      for (int y = 0; y < oh; ++y)
        for (int x = 0; x < ow; ++x) {
          float s = bias[o];
          for (int c = 0; c < in_c; ++c)
            for (int i = 0; i < kernel.first; ++i)
              for (int j = 0; j < kernel.second; ++j) {
                const int iy = y * stride.first + i - pad.first;
                const int ix = x * stride.second + j - pad.second;
                if (iy < 0 || ix < 0 || iy >= h || ix >= w)
                  continue;
                s += in[(c * h + iy) * w + ix] *
                     weight[((o * in_c + c) * kernel.first + i) *
                                kernel.second +
                            j];
              }
          out[(o * oh + y) * ow + x] = s;
        }
  }
};
