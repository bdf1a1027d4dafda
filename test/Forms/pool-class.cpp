// The greatest in a window that ends with the image, in a class.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <algorithm>
#include <vector>

// CHECK: for y in max(oy * stride_ - pad_, 0) .. min(oy * stride_ + window_ - pad_, h) {
class MaxPool {
public:
  MaxPool(int window, int stride, int pad)
      : window_(window), stride_(stride), pad_(pad) {}

  void operator()(const std::vector<float> &x, std::vector<float> &y, int h,
                  int w, int oh, int ow) const {
    for (int oy = 0; oy < oh; ++oy)
      for (int ox = 0; ox < ow; ++ox) {
        int y0 = oy * stride_ - pad_, x0 = ox * stride_ - pad_;
        int y1 = std::min(y0 + window_, h), x1 = std::min(x0 + window_, w);
        y0 = std::max(y0, 0);
        x0 = std::max(x0, 0);
        float best = -3e38f;
        for (int y = y0; y < y1; ++y)
          for (int i = x0; i < x1; ++i)
            if (x[y * w + i] > best)
              best = x[y * w + i];
        y[oy * ow + ox] = best;
      }
  }

private:
  int window_, stride_, pad_;
};
