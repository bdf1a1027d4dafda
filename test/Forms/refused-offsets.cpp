// Refused: a deformable filter, whose places are data.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+16]]:{{[0-9]+}}: error: an index depends on data: 'row' [index-data]
#include <cmath>

void deformable(const float *x, const float *offset, const float *w, float *y,
                int h, int wd, int k) {
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < wd; ++j) {
      float s = 0;
      for (int a = 0; a < k; ++a)
        for (int b = 0; b < k; ++b) {
          const float *o = offset + ((a * k + b) * 2 * h + i) * wd + j;
          const float v = i + a + o[0], u = j + b + o[h * wd];
          const int row = static_cast<int>(std::floor(v));
          const int col = static_cast<int>(std::floor(u));
          const float fy = v - row, fx = u - col;
          if (row >= 0 && row < h && col >= 0 && col < wd)
            s += (1 - fy) * (1 - fx) * x[row * wd + col] * w[a * k + b];
        }
      y[i * wd + j] = s;
    }
}
