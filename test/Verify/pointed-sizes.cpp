// Sizes that an object points at are none that a driver gives it.
// RUN: %refuses 1 %s -tile=8 -verify=cpu | FileCheck %s
// CHECK: [[@LINE+3]]:1: error: no '{{[wxy]}}' can be made to call 'conv' with: its parts cannot be set from outside [verify]
// CHECK: note: make what the nest reads of it public, and sizes fields of it, not what these point at
struct Line { float *data; const int *shape; };
void conv(const Line &x, const Line &w, Line &y) {
  for (int o = 0; o < y.shape[0]; ++o) {
    float s = 0;
    for (int k = 0; k < w.shape[0]; ++k)
      s += x.data[o + k] * w.data[k];
    y.data[o] = s;
  }
}
