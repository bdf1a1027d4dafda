// RUN: %convopt %s -function=erode -emit=nest | FileCheck %s
// RUN: %convopt %s -function=erode -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=pool -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=shifted -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=ends -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=dilate -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %status 1 %convopt %s -function=farthest 2>&1 | FileCheck %s --check-prefix=OTHER
// std::max and std::min of a list compare each with the ones before, of data,
// of indices, and of ends of loops.
// CHECK: S0: least = x[i - 1]
// CHECK: S1: least = (x[i] < least ? x[i] : least)
// CHECK: S2: least = (x[i + 1] < least ? x[i + 1] : least)
// CHECK: S3: y[i] = least
// VERIFIED: verified: {{[0-9]+}} shapes
// OTHER: compared-list.cpp:[[#@LINE+31]]:21: error: this expression is not understood [expression]
#include <algorithm>
#include <cmath>
void erode(const float *x, float *y, int n) {
  for (int i = 1; i < n - 1; i++)
    y[i] = std::min({x[i - 1], x[i], x[i + 1]});
}
void pool(const int *x, int *y, int n) {
  for (int i = 0; i < n; i++) {
    int m = 3;
    for (int j = 0; j < 5; j++)
      if (j != 2)
        m = std::max({m, x[i + j], 2 * x[i + j + 1]});
    y[i] = m;
  }
}
void shifted(const float *x, float *y, int n, int a, int b) {
  for (int i = 0; i < n; i++)
    y[i] = x[std::max({0, i - a, i - b})];
}
void ends(const float *x, float *y, int n, int m, int k) {
  for (int i = 0; i < std::min({n, m, k}); i++)
    y[i] = fmaxf(fmaxf(x[i], 0.5f), std::clamp(2 * x[i], -1.f, 1.f));
}
template <class T> void dilate(const T *x, T *y, int n) {
  for (int i = 1; i < n - 1; i++)
    y[i] = std::max({x[i - 1], x[i], x[i + 1]});
}
template void dilate(const float *, float *, int);
void farthest(const float *x, float *y, int n) {
  for (int i = 1; i < n - 1; i++)
    y[i] = std::max({x[i - 1], x[i], x[i + 1]},
                    [](float a, float b) { return a * a < b * b; });
}
