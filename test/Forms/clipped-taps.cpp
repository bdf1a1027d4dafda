// Zero padding by the taps that meet the image.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <algorithm>

// CHECK: for ky in max(0, pad - oy) .. min(K, H + pad - oy) {
// CHECK: for kx in max(0, pad - ox) .. min(K, W + pad - ox) {
void conv(const float *in, const float *weight, float *out, int C, int H, int W,
          int O, int K, int pad) {
  const int OH = H + 2 * pad - K + 1, OW = W + 2 * pad - K + 1;
  for (int o = 0; o < O; ++o)
    for (int oy = 0; oy < OH; ++oy) {
      const int y0 = std::max(0, pad - oy), y1 = std::min(K, H + pad - oy);
      for (int ox = 0; ox < OW; ++ox) {
        const int x0 = std::max(0, pad - ox), x1 = std::min(K, W + pad - ox);
        float acc = 0;
        for (int c = 0; c < C; ++c)
          for (int ky = y0; ky < y1; ++ky)
            for (int kx = x0; kx < x1; ++kx)
              acc += in[(c * H + oy + ky - pad) * W + ox + kx - pad] *
                     weight[((o * C + c) * K + ky) * K + kx];
        out[(o * OH + oy) * OW + ox] = acc;
      }
    }
}
