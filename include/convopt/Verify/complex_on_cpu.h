//===- complex_on_cpu.h - CUDA's complex numbers ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes the place of <cuComplex.h> where a source is read or verified without
/// the toolkit. Each function rounds as the toolkit's own.
///
//===----------------------------------------------------------------------===//

#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <vector_types.h>
#if __has_include(<math.h>)
#include <math.h>
#endif

#define CONVOPT_COMPLEX(name) __host__ __device__ static __inline__ name
// Of type C of two of type T, of which M is the most; functions end with S.
#define CONVOPT_COMPLEX_OF(C, T, M, S)                                         \
  CONVOPT_COMPLEX(T) cuCreal##S(C z) { return z.x; }                           \
  CONVOPT_COMPLEX(T) cuCimag##S(C z) { return z.y; }                           \
  CONVOPT_COMPLEX(C) make_##C(T re, T im) {                                    \
    C z;                                                                       \
    z.x = re;                                                                  \
    z.y = im;                                                                  \
    return z;                                                                  \
  }                                                                            \
  CONVOPT_COMPLEX(C) cuConj##S(C z) { return make_##C(z.x, -z.y); }            \
  CONVOPT_COMPLEX(C) cuCadd##S(C a, C b) {                                     \
    return make_##C(a.x + b.x, a.y + b.y);                                     \
  }                                                                            \
  CONVOPT_COMPLEX(C) cuCsub##S(C a, C b) {                                     \
    return make_##C(a.x - b.x, a.y - b.y);                                     \
  }                                                                            \
  CONVOPT_COMPLEX(C) cuCmul##S(C a, C b) {                                     \
    return make_##C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);             \
  }                                                                            \
  /* Scaled by the divisor, which must not overflow. */                        \
  CONVOPT_COMPLEX(C) cuCdiv##S(C a, C b) {                                     \
    T scale = 1 / (fabs##S(b.x) + fabs##S(b.y));                               \
    C n = make_##C(a.x * scale, a.y * scale);                                  \
    C d = make_##C(b.x * scale, b.y * scale);                                  \
    T inverse = 1 / (d.x * d.x + d.y * d.y);                                   \
    return make_##C((n.x * d.x + n.y * d.y) * inverse,                         \
                    (n.y * d.x - n.x * d.y) * inverse);                        \
  }                                                                            \
  CONVOPT_COMPLEX(C) cuCfma##S(C a, C b, C c) {                                \
    T re = a.x * b.x + c.x;                                                    \
    T im = a.x * b.y + c.y;                                                    \
    return make_##C(-(a.y * b.y) + re, a.y * b.x + im);                        \
  }                                                                            \
  CONVOPT_COMPLEX(T) cuCabs##S(C z) {                                          \
    T a = fabs##S(z.x), b = fabs##S(z.y);                                      \
    T more = a > b ? a : b, less = a > b ? b : a;                              \
    T ratio = less / more;                                                     \
    return more == 0 || more > M || less > M ? more + less                     \
                                             : more * sqrt##S(1 + ratio * ratio); \
  }

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
CONVOPT_COMPLEX_OF(cuFloatComplex, float, __FLT_MAX__, f)
CONVOPT_COMPLEX_OF(cuDoubleComplex, double, __DBL_MAX__, )
CONVOPT_COMPLEX(cuComplex) make_cuComplex(float re, float im) {
  return make_cuFloatComplex(re, im);
}
CONVOPT_COMPLEX(cuDoubleComplex) cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex((double)z.x, (double)z.y);
}
CONVOPT_COMPLEX(cuFloatComplex) cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}

#undef CONVOPT_COMPLEX
#undef CONVOPT_COMPLEX_OF

#endif // CU_COMPLEX_H_
