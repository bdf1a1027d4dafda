// RUN: %convopt %s | FileCheck %s
// What lies before the first touched element is the least of some offsets, and
// the header of `std::min` is there for that alone.
// CHECK: {{^}}#include <algorithm>
// CHECK: {{^ +}}k_untouched = std::min<
// CHECK-NOT: {{^ .*}}std::max
void filter(const float *in, const float *k, float *out, int rows, int cols,
            int K) {
  int r = K / 2;
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < cols; x++) {
      float sum = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          int yy = y + i - r;
          int xx = x + j - r;
          if (yy >= 0 && yy < rows && xx >= 0 && xx < cols)
            sum += in[yy * cols + xx] * k[i * K + j];
        }
      out[y * cols + x] = sum;
    }
}
