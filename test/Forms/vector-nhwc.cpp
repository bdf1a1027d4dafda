// Channels last in vectors, with a stride.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=oc:16,ox:2 -reg=oy:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <cstddef>
#include <vector>
using std::size_t;

// CHECK: S1: acc += x_data[oy * stride + i][ox * stride + j][ic] * w_data[i][j][ic][oc]
// CHECK: S2: y_data[oy][ox][oc] = acc
void conv_nhwc(const std::vector<float> &x, const std::vector<float> &w,
               std::vector<float> &y, size_t h, size_t width, size_t in,
               size_t out, size_t k, size_t stride) {
  const size_t oh = (h - k) / stride + 1, ow = (width - k) / stride + 1;
  for (size_t oy = 0; oy < oh; ++oy)
    for (size_t ox = 0; ox < ow; ++ox)
      for (size_t oc = 0; oc < out; ++oc) {
        float acc = 0;
        for (size_t i = 0; i < k; ++i)
          for (size_t j = 0; j < k; ++j)
            for (size_t ic = 0; ic < in; ++ic)
              acc += x[((oy * stride + i) * width + ox * stride + j) * in + ic] *
                     w[((i * k + j) * in + ic) * out + oc];
        y[(oy * ow + ox) * out + oc] = acc;
      }
}
