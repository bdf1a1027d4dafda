// A result by value, of a class that is made by numbers alone.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK: parameter x "const Tensor &@" object "Tensor(1, 1)"
// CHECK: S1: s += (x_data_data[i + a][j + b]) * (f_data_data[a][b])
#include <vector>
struct Tensor {
  int h, w; std::vector<float> data;
  Tensor(int h, int w) : h(h), w(w), data(h * w) {}
  float &at(int i, int j) { return data[i * w + j]; }
  float at(int i, int j) const { return data[i * w + j]; }
};
Tensor conv(const Tensor &x, const Tensor &f) {
  Tensor y(x.h - f.h + 1, x.w - f.w + 1);
  for (int i = 0; i < y.h; ++i)
    for (int j = 0; j < y.w; ++j) {
      float s = 0;
      for (int a = 0; a < f.h; ++a)
        for (int b = 0; b < f.w; ++b) s += x.at(i + a, j + b) * f.at(a, b);
      y.at(i, j) = s;
    }
  return y;
}
