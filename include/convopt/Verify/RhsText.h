//===- RhsText.h - A right-hand side as the reference needs it --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_RHSTEXT_H
#define CONVOPT_VERIFY_RHSTEXT_H

#include "convopt/Source/CExpr.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>
#include <vector>

namespace convopt::verify {

/// The text of \p e with its holes, for a host: intrinsics of the device are
/// those of cuda_on_cpu_intrinsics.h in the driver.
std::string hostText(const CExpr &e);

/// The same in double: float literals are converted, and float functions of the
/// C library lose their `f`.
std::string wideText(const CExpr &e);

/// The same as a bound on the magnitude: every difference becomes a sum and
/// every minimum a maximum, for operands that are not negative. Each of
/// \p names (scalars, that may be negative) becomes `cvm_<name>`.
std::string magnitudeText(const CExpr &e,
                          llvm::ArrayRef<std::string> names = {});

/// Holds what takes integers alone: `%`, bits, shifts, a subscript. Such text
/// keeps its `-`, as what it computes is exact.
bool needsIntegers(const CExpr &e);

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

/// \p e and what within is converted or passed to a function, whatever is
/// chosen: where a number that is too large for its type shows. None of text
/// whose meaning is open.
std::vector<const CExpr *> roundedParts(const CExpr &e);

/// Names of floating-point types that \p e converts to.
std::vector<llvm::StringRef> floatingTypes(const CExpr &e);

/// Calls a function or chooses: the result can be smaller than the terms whose
/// rounding it inherits.
bool hasCallOrChoice(const CExpr &e);

} // namespace convopt::verify

#endif // CONVOPT_VERIFY_RHSTEXT_H
