// A method that hands its object to a function with the loops.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK: argument has_self_bias "int @" param from "self.bias" != 0
// CHECK: S1: sum += x[c][oy + i][ox + j] * self_weights[o][c][i][j]
struct Conv2d {
  int in_channels, out_channels, kernel_size;
  const float *weights, *bias;
  void forward(const float *x, float *y, int h, int w) const;
};

static void forward(const Conv2d &self, const float *x, float *y, int h, int w) {
  const int k = self.kernel_size;
  const int oh = h - k + 1, ow = w - k + 1;
  for (int o = 0; o < self.out_channels; ++o)
    for (int oy = 0; oy < oh; ++oy)
      for (int ox = 0; ox < ow; ++ox) {
        float sum = self.bias ? self.bias[o] : 0.0f;
        for (int c = 0; c < self.in_channels; ++c)
          for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j)
              sum += x[(c * h + oy + i) * w + ox + j] *
                     self.weights[((o * self.in_channels + c) * k + i) * k + j];
        y[(o * oh + oy) * ow + ox] = sum > 0.0f ? sum : 0.0f;
      }
}

void Conv2d::forward(const float *x, float *y, int h, int w) const {
  ::forward(*this, x, y, h, w);
}
