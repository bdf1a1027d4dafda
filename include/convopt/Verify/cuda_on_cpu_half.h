//===- cuda_on_cpu_half.h - 16-bit numbers on the CPU -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What cuda_fp16.h and cuda_bf16.h declare of scalars, for cuda_on_cpu.h. Each
/// operation computes in a wider type and rounds once, to the nearest even, as
/// devices do.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_CUDA_ON_CPU_HALF_H
#define CONVOPT_VERIFY_CUDA_ON_CPU_HALF_H

#include "cuda_on_cpu.h"
#include <algorithm>

namespace cuda_on_cpu {

/// A binary format of 16 bits, of which \p Fraction are the fraction's.
template <int Fraction> struct Format16 {
  static constexpr int bias = (1 << (14 - Fraction)) - 1;
  static constexpr int leastExponent = 1 - bias; // of a normal number
  static constexpr unsigned infinity = 0x7FFFu >> Fraction << Fraction;

  static unsigned short encode(double v) {
    const unsigned sign = std::signbit(v) ? 0x8000 : 0;
    if (v != v)
      return sign | 0x7FFF;
    int exponent;
    std::frexp(v, &exponent);
    exponent = std::max(v == 0 ? leastExponent : exponent - 1, leastExponent);
    // In units of the last place; a carry into the exponent adds up.
    const double units =
        std::isinf(v)
            ? v
            : std::nearbyint(std::ldexp(std::fabs(v), Fraction - exponent));
    const double bits = units + std::ldexp(exponent - leastExponent, Fraction);
    return sign | (std::fabs(bits) < infinity ? unsigned(bits) : infinity);
  }

  static float decode(unsigned short bits) {
    const int exponent = (bits & 0x7FFF) >> Fraction;
    const int fraction = bits & ((1 << Fraction) - 1);
    const int implied = exponent ? 1 << Fraction : 0;
    float v = std::ldexp(static_cast<float>(implied + fraction),
                         (exponent ? exponent : 1) - bias - Fraction);
    if ((bits & infinity) == infinity)
      v = fraction ? NAN : INFINITY;
    return bits & 0x8000 ? -v : v;
  }
};

} // namespace cuda_on_cpu

#define CUDA_ON_CPU_HALF(H, H2, T, T2, FRACTION)                               \
  struct H {                                                                   \
    unsigned short bits;                                                       \
    H() = default;                                                             \
    H(float v) : bits(cuda_on_cpu::Format16<FRACTION>::encode(v)) {}           \
    operator float() const {                                                   \
      return cuda_on_cpu::Format16<FRACTION>::decode(bits);                    \
    }                                                                          \
    static H of(double v) {                                                    \
      H h;                                                                     \
      h.bits = cuda_on_cpu::Format16<FRACTION>::encode(v);                     \
      return h;                                                                \
    }                                                                          \
  };                                                                           \
  struct alignas(4) H2 {                                                       \
    H x, y;                                                                    \
  };                                                                           \
  typedef H T;                                                                 \
  typedef H2 T2;
CUDA_ON_CPU_HALF(__half, __half2, half, half2, 10)
CUDA_ON_CPU_HALF(__nv_bfloat16, __nv_bfloat162, nv_bfloat16, nv_bfloat162, 7)
#undef CUDA_ON_CPU_HALF
CUDA_ON_CPU_NUMBERS(__half, half)
CUDA_ON_CPU_NUMBERS(__nv_bfloat16, bfloat16)
CUDA_ON_CPU_PAIRS(__half, __half2, half, half2)
CUDA_ON_CPU_PAIRS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_HALF_H
