// Elements that are checked, sizes that the vectors have, and taps from the last.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument w_size "unsigned long @" param from "w.size()" of "w"
// CHECK: assume m + y_size - n - 1 >= 0 "'y_data' has y_size elements"
// CHECK: S1: y_data[i] += x_data[i + j] * w_data[m - j - 1]
#include <stdexcept>
#include <vector>

void convolve(const std::vector<float> &x, const std::vector<float> &w,
              std::vector<float> &y) {
  if (x.empty() || w.empty())
    throw std::invalid_argument("convolve: no elements");
  const int n = static_cast<int>(x.size()), m = static_cast<int>(w.size());
  for (int i = 0; i < n - m + 1; i++) {
    y.at(i) = 0;
    for (int j = 0; j < m; j++)
      y.at(i) += x.at(i + j) * w.at(m - 1 - j);
  }
}
