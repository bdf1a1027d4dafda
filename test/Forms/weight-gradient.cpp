// The gradient of the weights, summed in double and added to what is there.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=4,2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: array g: double local
// CHECK: S1: g += x_data[n][c][i + y - pad][j + q - pad] * dy_data[n][o][y][q]
// CHECK: S2: dw_data[o][c][i][j] += (float)(g)
#include <vector>
void backward(const std::vector<float> &x, const std::vector<float> &dy,
              std::vector<float> &dw, int N, int C, int O, int H, int W, int K,
              int pad) {
  const int OH = H + 2 * pad - K + 1, OW = W + 2 * pad - K + 1;
  for (int o = 0; o < O; ++o)
    for (int c = 0; c < C; ++c)
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) {
          double g = 0;
          for (int n = 0; n < N; ++n)
            for (int y = 0; y < OH; ++y) {
              const int iy = y + i - pad;
              if (iy < 0 || iy >= H)
                continue;
              for (int q = 0; q < OW; ++q) {
                const int ix = q + j - pad;
                if (ix < 0 || ix >= W)
                  continue;
                g += x[((n * C + c) * H + iy) * W + ix] *
                     dy[((n * O + o) * OH + y) * OW + q];
              }
            }
          dw[((o * C + c) * K + i) * K + j] += static_cast<float>(g);
        }
}
