//===- RhsText.h - A right-hand side as the reference needs it --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_RHSTEXT_H
#define CONVOPT_VERIFY_RHSTEXT_H

#include "convopt/Source/CExpr.h"
#include <set>

namespace convopt::verify {

/// The text of \p e with its holes in double, for a host: float literals are
/// converted, float functions of the C library lose their `f`, and intrinsics
/// of the device are those of cuda_on_cpu_intrinsics.h in the driver.
std::string wideText(const CExpr &e);

/// The same with bounds on errors (DriverBounds.h), which the \p scalars of the
/// function have in their types.
std::string boundedText(const CExpr &e, llvm::ArrayRef<std::string> scalars);

/// The same as a bound on the magnitude: every difference becomes a sum and
/// every minimum a maximum, for operands that are not negative.
std::string magnitudeText(const CExpr &e);

/// Holds a shift, which has no meaning for negative counts.
bool hasShift(const CExpr &e);

/// Holds a shift or a division, which mean nothing for some integers.
bool isPartial(const CExpr &e);
/// The operands of \p e that make it so: those of divisors, or all where there
/// is a shift.
std::set<size_t> partialOperands(const CExpr &e);

/// Sums, differences and products of operands and whole numbers only: exact on
/// small integers in any floating-point type.
bool isExactOnIntegers(const CExpr &e);

/// Calls a function or chooses: the result can be smaller than the terms whose
/// rounding it inherits.
bool hasCallOrChoice(const CExpr &e);

} // namespace convopt::verify

#endif // CONVOPT_VERIFY_RHSTEXT_H
