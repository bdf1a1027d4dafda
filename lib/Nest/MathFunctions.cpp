//===- MathFunctions.cpp - Functions of <math.h> and CUDA -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/MathFunctions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace convopt {

/// Those of which <math.h> has one for float, with an f at its end.
static const StringSet<> &withFloats() {
  static const StringSet<> names = {
      "acos",      "acosh",     "asin",  "asinh",     "atan",    "atan2",
      "atanh",     "cbrt",      "ceil",  "copysign",  "cos",     "cosh",
      "erf",       "erfc",      "exp",   "exp2",      "expm1",   "fabs",
      "fdim",      "floor",     "fma",   "fmax",      "fmin",    "fmod",
      "hypot",     "ilogb",     "ldexp", "llrint",    "llround", "log",
      "log10",     "log1p",     "log2",  "logb",      "lrint",   "lround",
      "nearbyint", "nextafter", "pow",   "remainder", "rint",    "round",
      "rsqrt",     "scalbn",    "sin",   "sinh",      "sqrt",    "tan",
      "tanh",      "tgamma",    "trunc",
  };
  return names;
}

/// CUDA's conversions to integers, `__float2int_rn`.
static bool isRounding(StringRef name) {
  const bool hasMode = name.consume_back("_rn") || name.consume_back("_rz") ||
                       name.consume_back("_rd") || name.consume_back("_ru");
  return hasMode && is_contained({"__float2int", "__float2uint", "__double2int",
                                  "__double2uint"},
                                 name);
}

DeviceForm deviceForm(StringRef name) {
  const DeviceForm form =
      StringSwitch<DeviceForm>(name)
          .Case("__builtin_popcount", {"__popc"})
          .Cases({"__builtin_popcountl", "__builtin_popcountll"}, {"__popcll"})
          .Case("__builtin_parity", {"__popc", " & 1"})
          .Cases({"__builtin_parityl", "__builtin_parityll"},
                 {"__popcll", " & 1"})
          .Case("__builtin_clz", {"__clz"})
          .Case("__builtin_clzll", {"__clzll"})
          .Case("__builtin_ffs", {"__ffs"})
          .Case("__builtin_ffsll", {"__ffsll"})
          .Case("__builtin_ctz", {"__ffs", " - 1"})
          .Case("__builtin_ctzll", {"__ffsll", " - 1"})
          .Cases({"labs", "llabs", "__builtin_abs", "__builtin_labs",
                  "__builtin_llabs"},
                 {"abs"})
          .Default({name});
  StringRef own = form.name;
  return own.consume_front("__builtin_") &&
                 withFloats().contains(ofDoubles(own))
             ? DeviceForm{own}
             : form;
}

StringRef typeOfBits(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Cases({"__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll",
              "__mul24", "__mulhi", "__float_as_int"},
             "int")
      .Cases({"__umul24", "__umulhi", "__brev", "__byte_perm", "__sad",
              "__usad", "__vabsdiffu4", "__vsadu4"},
             "unsigned")
      .Case("__int_as_float", "float")
      .Default("");
}

bool isMathFunction(StringRef name) {
  static const StringSet<> others = {
      "abs",
      "max",
      "min",
      "isfinite",
      "isinf",
      "isnan",
      "signbit",
      "__expf",
      "__exp10f",
      "__logf",
      "__log2f",
      "__log10f",
      "__powf",
      "__sinf",
      "__cosf",
      "__tanf",
      "__saturatef",
      "__fdividef",
      "__fmaf_rn",
      "__fadd_rn",
      "__fsub_rn",
      "__fmul_rn",
      "__fdiv_rn",
      "__frcp_rn",
      "__fsqrt_rn",
      "__int2float_rn",
      "__uint2float_rn",
      "__hfma",
      "__hmax",
      "__hmin",
      // What macros of <math.h> stand for.
      "__builtin_isfinite",
      "__builtin_isinf_sign",
      "__builtin_isinf",
      "__builtin_isnan",
      "__builtin_signbit",
      "__builtin_signbitf",
  };
  return others.contains(name) || isRounding(name) || name == "__dp4a" ||
         !typeOfBits(name).empty() || withFloats().contains(ofDoubles(name));
}

StringRef ofDoubles(StringRef name) {
  StringRef stem = name;
  return StringSwitch<StringRef>(name)
      .Case("__hfma", "fma")
      .Case("__hmax", "fmax")
      .Case("__hmin", "fmin")
      .Default(stem.consume_back("f") && withFloats().contains(stem) ? stem
                                                                     : name);
}

unsigned roundingsOf(StringRef name) {
  return StringSwitch<unsigned>(ofDoubles(name))
      .Cases({"abs", "ceil", "copysign", "fabs", "floor", "fmax", "fmin",
              "fmod", "ldexp", "max", "min", "nearbyint", "remainder", "rint",
              "round", "scalbn", "trunc", "__saturatef"},
             0)
      .Cases({"fdim", "fma", "sqrt", "__fmaf_rn", "__fadd_rn", "__fsub_rn",
              "__fmul_rn", "__fdiv_rn", "__frcp_rn", "__fsqrt_rn",
              "__int2float_rn", "__uint2float_rn"},
             1)
      .Default(name.starts_with("__") ? 32 : 8);
}

ArrayRef<StringRef> fusedFunctions() {
  static const StringRef names[] = {"fma",       "fmaf",      "std::fma",
                                    "std::fmaf", "__fmaf_rn", "__hfma"};
  return names;
}

} // namespace convopt
