// A layer whose method returns its result, with private fields.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: s += x_data[c][i + p][j + q] * w__data[o][c][p][q]
#include <vector>
class Conv2d {
public:
  Conv2d(int in, int out, int k) : in_(in), out_(out), k_(k), w_(in * out * k * k), b_(out) {}
  std::vector<float> forward(const std::vector<float> &x, int h, int w) const {
    const int oh = h - k_ + 1, ow = w - k_ + 1;
    std::vector<float> y(out_ * oh * ow);
    for (int o = 0; o < out_; ++o)
      for (int i = 0; i < oh; ++i)
        for (int j = 0; j < ow; ++j) {
          float s = b_[o];
          for (int c = 0; c < in_; ++c)
            for (int p = 0; p < k_; ++p)
              for (int q = 0; q < k_; ++q)
                s += x[(c * h + i + p) * w + j + q] * this->w_[((o * in_ + c) * k_ + p) * k_ + q];
          y[(o * oh + i) * ow + j] = s;
        }
    return y;
  }
private:
  int in_, out_, k_;
  std::vector<float> w_, b_;
};
