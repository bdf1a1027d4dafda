// A class whose elements are private, and a method that says where they are.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// CHECK: argument x_data "const float *@" array from "x.data()"
// CHECK: y_data
#include <vector>
#include <cstddef>
class Tensor {
  std::vector<float> d_; int c_, h_, w_;
  std::size_t at(int c, int y, int x) const { return (std::size_t(c) * h_ + y) * w_ + x; }
public:
  Tensor(int c, int h, int w) : d_(std::size_t(c) * h * w), c_(c), h_(h), w_(w) {}
  int channels() const { return c_; } int height() const { return h_; } int width() const { return w_; }
  float &operator()(int c, int y, int x) { return d_[at(c, y, x)]; }
  const float &operator()(int c, int y, int x) const { return d_[at(c, y, x)]; }
  const float *data() const { return d_.data(); }
  float *data() { return d_.data(); }
};
void conv(const Tensor &x, const float *w, int k, Tensor &y) {
  for (int o = 0; o < y.channels(); ++o)
    for (int i = 0; i < y.height(); ++i)
      for (int j = 0; j < y.width(); ++j) {
        float s = 0;
        for (int c = 0; c < x.channels(); ++c)
          for (int a = 0; a < k; ++a)
            for (int b = 0; b < k; ++b)
              s += x(c, i + a, j + b) * w[((o * x.channels() + c) * k + a) * k + b];
        y(o, i, j) = s;
      }
}
