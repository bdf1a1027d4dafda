// A method that calls others of its class, private ones among them.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: nest forward_nest
// CHECK: pad_
#include <cassert>
#include <vector>

class Conv2D {
public:
  Conv2D(int in, int out, int k, int stride, int pad);
  int size(int n) const { return (n + 2 * pad_ - k_) / stride_ + 1; }
  std::vector<float> forward(const std::vector<float> &x, int h, int w) const;

private:
  static constexpr int border = 1;
  static int place(int c, int i, int j, int h, int w) {
    return (c * h + i) * w + j;
  }
  float weight(int o, int c, int u, int v) const {
    return w_[((o * in_ + c) * k_ + u) * k_ + v];
  }
  int in_, out_, k_, stride_, pad_;
  std::vector<float> w_, b_;
};

std::vector<float> Conv2D::forward(const std::vector<float> &x, int h,
                                   int w) const {
  assert(x.size() == static_cast<std::size_t>(in_) * h * w);
  const int oh = size(h), ow = size(w);
  std::vector<float> y(static_cast<std::size_t>(out_) * oh * ow, 0.0f);
  for (int o = 0; o < out_; ++o)
    for (int i = 0; i < oh; ++i)
      for (int j = 0; j < ow; ++j) {
        float sum = b_[o];
        for (int c = 0; c < in_; ++c)
          for (int u = 0; u < k_; ++u)
            for (int v = 0; v < k_; ++v) {
              const int r = i * stride_ - pad_ + u;
              const int s = j * stride_ - pad_ + v;
              if (r < 0 || r >= h || s < 0 || s >= w)
                continue;
              sum += x[place(c, r, s, h, w)] * this->weight(o, c, u, v);
            }
        y[place(o, i, j, oh, ow)] = border * sum;
      }
  return y;
}
