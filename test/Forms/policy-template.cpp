// A method of a class template calls policies and helpers for any type.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
template <typename T> T clip(T x, T lo, T hi) {
  return x < lo ? lo : (hi < x ? hi : x);
}
struct Replicate {
  static int at(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
};
template <class B, class T> T load(const T *p, int i, int j, int h, int w) {
  return p[B::at(i, h) * w + B::at(j, w)];
}

// CHECK: nest run_body
// CHECK: S1: acc += guarded({{.*}}, x[i + p - 1][j + q - 1], border) * weight[p][q]
// CHECK: y[i][j] = (acc < (float)(0) ? (float)(0) : ((float)(6) < acc ? (float)(6) : acc))
template <class Real, class Border, int R> class Filter {
  Real weight[(2 * R + 1) * (2 * R + 1)];

public:
  void run(const Real *x, Real *y, int h, int w) const {
    constexpr int K = 2 * R + 1;
    for (int i = 0; i < h; ++i)
      for (int j = 0; j < w; ++j) {
        Real acc{};
        for (int p = 0; p < K; ++p)
          for (int q = 0; q < K; ++q)
            acc += load<Border>(x, i + p - R, j + q - R, h, w) *
                   weight[p * K + q];
        y[i * w + j] = clip(acc, Real(0), Real(6));
      }
  }
};
template class Filter<float, Replicate, 1>;
