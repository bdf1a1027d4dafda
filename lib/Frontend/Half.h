//===- Half.h - 16-bit numbers of CUDA's headers ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `__half` and `__nv_bfloat16` are classes of CUDA's headers, and numbers all
/// the same: what converts and computes with them has no side effects.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_HALF_H
#define CONVOPT_LIB_FRONTEND_HALF_H

#include "clang/AST/ExprCXX.h"

namespace convopt {

bool isHalf(clang::QualType type);
/// Numbers of the host that code of a device does not have: complex ones, and
/// floats and integers of other widths.
bool isOfHostAlone(clang::QualType type);
/// Of arithmetic, a half, or one that a template leaves open.
bool isNumber(clang::QualType type);

/// An assignment or another operator of numbers: on such a type, or in a
/// template where that is open.
bool isOfNumbers(const clang::CXXOperatorCallExpr *o);

struct HalfConversion {
  std::string to; // empty for a copy
  const clang::Expr *value;
  /// The type of a call's parameter, to which the value converts first.
  std::string from = {};
};

/// The operator that \p e is, a call of one of the functions that CUDA has for
/// arithmetic and comparisons of such numbers (`__hadd`).
std::optional<clang::BinaryOperatorKind> halfOperator(const clang::Expr *e);

/// What \p e converts to or from such a type, by a constructor, a cast or one
/// of the functions that CUDA has for it (`__half2float`).
std::optional<HalfConversion> halfConversion(const clang::Expr *e);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_HALF_H
