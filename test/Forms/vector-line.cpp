// A line whose lengths the vectors know, with checked elements.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <vector>
using namespace std;

// CHECK: argument signal_size "unsigned long @" param from "signal.size()"
// CHECK: S1: y_data[i] += signal_data[i + j] * kernel_data[j]
void filter(const vector<double> &signal, const vector<double> &kernel,
            vector<double> &y) {
  const size_t n = signal.size() - kernel.size() + 1;
  for (size_t i = 0; i < n; i++) {
    y.at(i) = 0;
    for (size_t j = 0; j < kernel.size(); j++)
      y.at(i) += signal[i + j] * kernel.at(j);
  }
}
