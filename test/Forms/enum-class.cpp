// An activation and a padding that arguments of 'enum class' choose: of the
// template, of the function and of a helper.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,1 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
enum class Activation { None, ReLU, Leaky };
enum class Padding : unsigned char { Valid, Same };

template <Activation A> static float activate(float v) {
  if (A == Activation::ReLU)
    return v > 0 ? v : 0;
  return A == Activation::Leaky && v < 0 ? 0.1f * v : v;
}
static int padOf(Padding how, int K) { return how == Padding::Same ? K / 2 : 0; }

// CHECK: argument pad "int @" param
// CHECK: S1: acc += x[c]
template <Activation A, typename T>
void conv(const T *x, const T *w, T *y, int C, int H, int W, int M, int K,
          Padding padding) {
  constexpr Activation Own = A;
  const int pad = padOf(padding, K);
  for (int m = 0; m < M; ++m)
    for (int p = 0; p < H; ++p)
      for (int q = 0; q < W; ++q) {
        T acc = 0;
        for (int c = 0; c < C; ++c)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j) {
              const int r = p + i - pad, s = q + j - pad;
              if (r >= 0 && r < H && s >= 0 && s < W)
                acc += x[(c * H + r) * W + s] * w[((m * C + c) * K + i) * K + j];
            }
        if (Own != Activation::None)
          acc += T(1);
        y[(m * H + p) * W + q] = activate<A>(acc);
      }
}
void layer(const float *x, const float *w, float *y) {
  conv<Activation::Leaky>(x, w, y, 3, 32, 32, 16, 3, Padding::Same);
}
