// Refused: an exception that data throw, in a method with vectors.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+17]]:{{[0-9]+}}: error: 'throw' is not part of a loop nest [statement]
// CHECK: note: check before the loops, or after them
#include <cmath>
#include <stdexcept>
#include <vector>

struct Conv1d {
  int k, stride;
  std::vector<float> w;

  void forward(const std::vector<float> &x, std::vector<float> &y,
               int n) const {
    for (int i = 0; i < n; ++i) {
      float s = 0;
      for (int j = 0; j < k; ++j)
        s += x[i * stride + j] * w[j];
      if (std::isnan(s))
        throw std::runtime_error("forward: not a number");
      y[i] = s;
    }
  }
};
