// Functions of <cmath> keep their overloads in templates; what a device has is
// taken.
//
// RUN: %convopt %s -o %t.cu -verify=cpu -shape=n=9,r=4 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.cu
// CHECK: verified: 1 shape on the CPU
// TEXT-LABEL: smooth_tiled_kernel
// TEXT: += std::hypot({{.*}}) * std::exp({{.*}}) + std::erfc(
// TEXT: y[{{.*}}] = std::isnan(s{{.*}}) ? 0 : s{{.*}} + std::lround(s
#include <cmath>
template <class T>
void smooth(const T *x, const T *w, T *y, int n, int r) {
  for (int i = 0; i < n; i++) {
    T s = 0;
    for (int k = 0; k < r; k++)
      s += std::hypot(x[i + k], w[k]) * std::exp(w[k]) + std::erfc(x[i + k]);
    y[i] = std::isnan(s) ? 0 : s + std::lround(s);
  }
}
template void smooth(const float *, const float *, float *, int, int);
