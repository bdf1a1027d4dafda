//===- cuda_on_cpu_intrinsics.h - Intrinsics of a value ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What kernels compute values by and hosts do not have: for kernels on the
/// CPU, and in a namespace of the driver for the reference, which a host
/// computes beside kernels on a GPU, too. Included once in each of them; the
/// front end parses CUDA with the same declarations.
///
//===----------------------------------------------------------------------===//

inline float __fmaf_rn(float a, float b, float c) { return std::fmaf(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1 / a; }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline float __saturatef(float a) { return a > 0 ? a < 1 ? a : 1 : 0; }
inline float __fdividef(float a, float b) { return a / b; }
inline float __powf(float a, float b) { return std::pow(a, b); }
inline float __expf(float a) { return std::exp(a); }
inline float __logf(float a) { return std::log(a); }
inline float __sinf(float a) { return std::sin(a); }
inline float __cosf(float a) { return std::cos(a); }
inline float __tanf(float a) { return std::tan(a); }
inline float __exp10f(float a) { return std::pow(10.0f, a); }
inline float __log2f(float a) { return std::log2(a); }
inline float __log10f(float a) { return std::log10(a); }

inline int __mul24(int a, int b) {
  const auto low = [](int v) {
    return static_cast<int>(unsigned(v) << 8) >> 8;
  };
  return static_cast<int>(unsigned(low(a)) * unsigned(low(b)));
}
inline unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xFFFFFF) * (b & 0xFFFFFF);
}
inline int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __clz(int v) { return v ? __builtin_clz(unsigned(v)) : 32; }
inline int __clzll(long long v) {
  return v ? __builtin_clzll(static_cast<unsigned long long>(v)) : 64;
}
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline unsigned __brev(unsigned v) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit)
    reversed |= (v >> bit & 1) << (31 - bit);
  return reversed;
}
inline int __dp4a(int a, int b, int sum) {
  for (int bit = 0; bit < 32; bit += 8)
    sum = static_cast<int>(unsigned(sum) +
                           unsigned(static_cast<signed char>(a >> bit) *
                                    static_cast<signed char>(b >> bit)));
  return sum;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
  for (int bit = 0; bit < 32; bit += 8)
    sum += (a >> bit & 255) * (b >> bit & 255);
  return sum;
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (int k = 0; k < 4; ++k) {
    const unsigned which = selector >> 4 * k;
    const unsigned byte = bytes >> (which & 7) * 8 & 255;
    result |= (which & 8 ? byte >> 7 ? 255 : 0 : byte) << 8 * k;
  }
  return result;
}
inline unsigned __usad(unsigned a, unsigned b, unsigned sum) {
  return sum + (a < b ? b - a : a - b);
}
inline unsigned __sad(int a, int b, unsigned sum) {
  return sum + (a < b ? unsigned(b) - unsigned(a) : unsigned(a) - unsigned(b));
}
inline unsigned __vabsdiffu4(unsigned a, unsigned b) {
  unsigned result = 0;
  for (int bit = 0; bit < 32; bit += 8)
    result |= __usad(a >> bit & 255, b >> bit & 255, 0) << bit;
  return result;
}
inline unsigned __vsadu4(unsigned a, unsigned b) {
  return __dp4a(__vabsdiffu4(a, b), 0x01010101u, 0u);
}
inline float __int2float_rn(int v) { return static_cast<float>(v); }
inline float __uint2float_rn(unsigned v) { return static_cast<float>(v); }
/// As the device converts numbers that \p T does not have.
template <class T> T convopt_saturated(double v) {
  using Limits = std::numeric_limits<T>;
  return v != v                 ? 0
         : v <= (Limits::min)() ? (Limits::min)()
         : v >= (Limits::max)() ? (Limits::max)()
                                : static_cast<T>(v);
}
#define CONVOPT_TO_INTEGER(name, F, T)                                         \
  inline T name##_rn(F v) { return convopt_saturated<T>(std::nearbyint(v)); }  \
  inline T name##_rd(F v) { return convopt_saturated<T>(std::floor(v)); }      \
  inline T name##_ru(F v) { return convopt_saturated<T>(std::ceil(v)); }       \
  inline T name##_rz(F v) { return convopt_saturated<T>(std::trunc(v)); }
CONVOPT_TO_INTEGER(__float2int, float, int)
CONVOPT_TO_INTEGER(__float2uint, float, unsigned)
CONVOPT_TO_INTEGER(__double2int, double, int)
CONVOPT_TO_INTEGER(__double2uint, double, unsigned)
#undef CONVOPT_TO_INTEGER
inline float __int_as_float(int v) {
  float f;
  std::memcpy(&f, &v, sizeof(f));
  return f;
}
inline int __float_as_int(float v) {
  int i;
  std::memcpy(&i, &v, sizeof(i));
  return i;
}
