// A result that is returned, and the time that its loops took.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: y_data[i] += x_data[i + j] * w_data[j]
#include <chrono>
#include <iostream>
#include <vector>

std::vector<float> convolve(const std::vector<float> &x,
                            const std::vector<float> &w) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<float> y(x.size() - w.size() + 1);
  for (size_t i = 0; i < y.size(); ++i)
    for (size_t j = 0; j < w.size(); ++j)
      y[i] += x[i + j] * w[j];
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  std::cout << took.count() << " s\n";
  return y;
}
