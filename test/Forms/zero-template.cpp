// Sums that start at what the template's type has for zero.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
namespace nn {
// CHECK: array s: T local
// CHECK: S0: s = (T)(0)
// CHECK: S1: s += in[i_div + kh][i_mod + kw][c] * w[kh][kw][c][m]
template <typename T>
void conv(const T *in, const T *w, T *out, long H, long W, long C, long M,
          long KH, long KW) {
  const long OH = H - KH + 1, OW = W - KW + 1;
  for (long i = 0; i != OH * OW; ++i)
    for (long m = 0; m != M; ++m) {
      long y = i / OW, x = i % OW;
      T s{};
      for (long kh = 0; kh != KH; ++kh)
        for (long kw = 0; kw != KW; ++kw)
          for (long c = 0; c != C; ++c)
            s += in[((y + kh) * W + x + kw) * C + c] *
                 w[((kh * KW + kw) * C + c) * M + m];
      out[i * M + m] = s;
    }
}
template void conv<double>(const double *, const double *, double *, long, long,
                           long, long, long, long);
} // namespace nn
