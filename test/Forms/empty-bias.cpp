// A bias that is empty where there is none, in a tensor with operators.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: argument bias_v_size
// CHECK: if bias_v_size
#include <algorithm>
#include <array>
#include <vector>
struct Shape { std::array<int, 4> d; int n() const { return d[0]; } int c() const { return d[1]; } int h() const { return d[2]; } int w() const { return d[3]; } };
struct Tensor {
  Shape shape;
  std::vector<float> v;
  float &operator()(int n, int c, int h, int w) { return v[((n * shape.c() + c) * shape.h() + h) * shape.w() + w]; }
  float operator()(int n, int c, int h, int w) const { return v[((n * shape.c() + c) * shape.h() + h) * shape.w() + w]; }
};
void conv2d(const Tensor &in, const Tensor &filt, const Tensor &bias, Tensor &out, int stride, int pad, int dil) {
  for (int n = 0; n < out.shape.n(); n++)
    for (int oc = 0; oc < out.shape.c(); oc++)
      for (int oy = 0; oy < out.shape.h(); oy++)
        for (int ox = 0; ox < out.shape.w(); ox++) {
          float s = bias.v.empty() ? 0.f : bias.v[oc];
          for (int ic = 0; ic < in.shape.c(); ic++)
            for (int ky = 0; ky < filt.shape.h(); ky++) {
              int iy = oy * stride + ky * dil - pad;
              if (iy < 0 || iy >= in.shape.h()) continue;
              for (int kx = 0; kx < filt.shape.w(); kx++) {
                int ix = ox * stride + kx * dil - pad;
                if (ix < 0 || ix >= in.shape.w()) continue;
                s += in(n, ic, iy, ix) * filt(oc, ic, ky, kx);
              }
            }
          out(n, oc, oy, ox) = std::max(s, 0.f);
        }
}
