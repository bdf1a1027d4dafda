//===- MathFunctions.h - Functions of <math.h> and CUDA ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_MATHFUNCTIONS_H
#define CONVOPT_NEST_MATHFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace convopt {

/// Whether \p name is a function of <math.h>, of <cmath> or an intrinsic of
/// CUDA that gives a value and does nothing else, on the host and on devices.
/// That it may set errno or raise a floating-point exception is no effect that
/// a convolution has.
bool isMathFunction(llvm::StringRef name);

/// How devices have a function of the host: `name(...)`, and what follows it.
struct DeviceForm {
  llvm::StringRef name;
  llvm::StringRef rest = {}; // " - 1"
};

/// The form of \p name, such as `__builtin_popcount`; of a function that
/// devices have under this name, or not at all, it is that name.
DeviceForm deviceForm(llvm::StringRef name);

/// What CUDA's \p name, which counts, moves or multiplies bits, gives; empty
/// for other functions.
llvm::StringRef typeOfBits(llvm::StringRef name);

/// The function of double precision that \p name, such as `expf` or `__hfma`,
/// is of less precision; others are their own.
llvm::StringRef ofDoubles(llvm::StringRef name);

/// How many roundings the result of \p name may be off by: none of what
/// chooses, cuts to a whole number or gives an argument, one of what is rounded
/// correctly, 8 of others, of which CUDA's libraries promise no less, and 32 of
/// fast intrinsics, whose error grows with their arguments.
unsigned roundingsOf(llvm::StringRef name);

/// The functions of a, b and c that are `a * b + c`, rounded once.
llvm::ArrayRef<llvm::StringRef> fusedFunctions();

} // namespace convopt

#endif // CONVOPT_NEST_MATHFUNCTIONS_H
