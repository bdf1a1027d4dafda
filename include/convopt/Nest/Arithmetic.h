//===- Arithmetic.h - What right-hand sides compute in ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_ARITHMETIC_H
#define CONVOPT_NEST_ARITHMETIC_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace convopt {

/// An integer type; 0 bits where a spelling is none of C's.
struct IntegerType {
  unsigned bits = 0;
  bool isUnsigned = false;

  /// Whether C computes with it in a signed type, which may overflow: smaller
  /// types than int become int.
  bool isComputedSigned() const { return bits && (!isUnsigned || bits < 32); }
};

/// Of C and <stdint.h>.
IntegerType integerType(llvm::StringRef spelling);
/// Whether \p spelling is that of an integer type of C; bool is none.
bool isInteger(llvm::StringRef spelling);
/// Whether it is that of a floating-point type of C++ or CUDA.
bool isFloating(llvm::StringRef spelling);

/// The types of what \p s has besides operands: literals (`int`, `long long`,
/// `double`), scalar arguments and casts. Of another name, as of a function,
/// the name.
std::vector<llvm::StringRef> typesOfWords(const Nest &nest, const Statement &s);

/// That of an index is int.
llvm::StringRef typeOf(const Nest &nest, const Operand &o);

/// Whether C++ defines \p s for all values of what it reads: it has no division
/// or shift of integers, nor a sum or product in a signed type, which can
/// overflow. A type that is known by a name alone is taken for one of floating
/// point in sums and products.
bool isTotal(const Nest &nest, const Statement &s);

} // namespace convopt

#endif // CONVOPT_NEST_ARITHMETIC_H
