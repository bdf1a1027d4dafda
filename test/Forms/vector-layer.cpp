// A layer that keeps its weights in vectors, and returns its result.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <stdexcept>
#include <vector>

struct Layer {
  int in_channels, out_channels, kernel, padding;
  std::vector<float> weights, bias;
};

// CHECK: S1: sum += x_data[c][oy + i - pad][ox + j - pad] * layer_weights_data[o][c][i][j]
std::vector<float> conv(const Layer &layer, const std::vector<float> &x, int h,
                        int w) {
  if (x.size() != size_t(layer.in_channels * h * w))
    throw std::invalid_argument("x");
  const int k = layer.kernel, pad = layer.padding;
  const int oh = h + 2 * pad - k + 1, ow = w + 2 * pad - k + 1;
  std::vector<float> y(layer.out_channels * oh * ow);
  for (int o = 0; o < layer.out_channels; ++o)
    for (int oy = 0; oy < oh; ++oy)
      for (int ox = 0; ox < ow; ++ox) {
        float sum = layer.bias[o];
        for (int c = 0; c < layer.in_channels; ++c)
          for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j) {
              const int iy = oy + i - pad, ix = ox + j - pad;
              if (iy < 0 || iy >= h || ix < 0 || ix >= w)
                continue;
              sum += x[(c * h + iy) * w + ix] *
                     layer.weights[((o * layer.in_channels + c) * k + i) * k + j];
            }
        y[(o * oh + oy) * ow + ox] = sum;
      }
  return y;
}
