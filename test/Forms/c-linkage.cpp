// A function with C linkage, whose elements come from a generic lambda.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for i in -floordiv(kh, 2) .. floordiv(kh, 2) + 1 {
// CHECK: S1: acc += guarded({{.*}}, in[y - i][x - j], 0.0) * k[i + floordiv(kh, 2)][j + floordiv(kw, 2)]
extern "C" void conv2d_same(const double *in, const double *k, double *out,
                            long h, long w, long kh, long kw) {
  auto in_at = [=](auto y, auto x) -> double {
    if (y < 0 || y >= h || x < 0 || x >= w)
      return 0.0;
    return in[y * w + x];
  };
  for (auto y = 0L; y < h; ++y)
    for (auto x = 0L; x < w; ++x) {
      auto acc = 0.0;
      for (auto i = -(kh / 2); i <= kh / 2; ++i)
        for (auto j = -(kw / 2); j <= kw / 2; ++j)
          acc += in_at(y - i, x - j) * k[(i + kh / 2) * kw + j + kw / 2];
      out[y * w + x] = acc;
    }
}
