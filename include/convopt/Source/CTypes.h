//===- CTypes.h - Types as C spells them ------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SOURCE_CTYPES_H
#define CONVOPT_SOURCE_CTYPES_H

#include "llvm/ADT/StringRef.h"

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
inline bool isBoolean(llvm::StringRef spelling) {
  return spelling == "bool" || spelling == "_Bool";
}
/// Whether it is that of a floating-point type of C++ or CUDA.
bool isFloating(llvm::StringRef spelling);

/// The type of the number or character \p literal, as `long` of `3L`.
llvm::StringRef typeOfLiteral(llvm::StringRef literal);

/// What the usual arithmetic conversions make of operands of two types. Of a
/// type that is known by its name alone and an integer it is the former, and of
/// that and a floating-point type the latter; empty, for a value of which
/// nothing is known, gives way to all.
llvm::StringRef commonType(llvm::StringRef a, llvm::StringRef b);

} // namespace convopt

#endif // CONVOPT_SOURCE_CTYPES_H
