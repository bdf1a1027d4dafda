//===- RhsText.h - A right-hand side as the reference needs it --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_RHSTEXT_H
#define CONVOPT_VERIFY_RHSTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>
#include <vector>

namespace convopt::verify {

/// \p text of a statement with `$k` replaced by `operand(k)`, in double: float
/// literals are converted, and float functions of the C library lose their
/// `f`.
std::string wideText(llvm::StringRef text,
                     llvm::function_ref<std::string(size_t)> operand);

/// The same as a bound on the magnitude: every `-` becomes `+` and every
/// minimum a maximum, for operands that are not negative. Each of \p names
/// (scalars, that may be negative) becomes `cvm_<name>`.
std::string magnitudeText(llvm::StringRef text,
                          llvm::function_ref<std::string(size_t)> operand,
                          llvm::ArrayRef<std::string> names = {});

/// Holds what takes integers alone: `%`, bits, shifts, a subscript. Such text
/// keeps its `-`, as what it computes is exact.
bool needsIntegers(llvm::StringRef text);

/// Holds a shift, which has no meaning for negative counts.
bool hasShift(llvm::StringRef text);

/// Holds a shift or a division, which mean nothing for some integers.
bool isPartial(llvm::StringRef text);
/// The operands in \p text that make it so: those of divisors, or all where
/// there is a shift.
std::set<size_t> partialOperands(llvm::StringRef text);

/// Sums, differences and products of operands and whole numbers only: exact on
/// small integers in any floating-point type.
bool isExactOnIntegers(llvm::StringRef text);

/// Names of floating-point types that \p text converts to.
std::vector<llvm::StringRef> floatingTypes(llvm::StringRef text);

/// Calls a function or chooses: the result can be smaller than the terms whose
/// rounding it inherits.
bool hasCallOrChoice(llvm::StringRef text);

} // namespace convopt::verify

#endif // CONVOPT_VERIFY_RHSTEXT_H
