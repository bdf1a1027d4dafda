//===- Quotients.h - Quotients of fewer terms -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_QUOTIENTS_H
#define CONVOPT_NEST_QUOTIENTS_H

#include "convopt/Nest/IndexExpr.h"

namespace convopt {

/// The greatest value of a variable that is never negative, where it is known.
using GreatestOfVar = llvm::function_ref<std::optional<int64_t>(Var)>;

/// The greatest value of \p e where \p greatest bounds its variables and none
/// of its terms is negative but those of remainders.
std::optional<int64_t> greatestValue(const IndexExpr &e,
                                     GreatestOfVar greatest);

/// `factor * whole + rest`, where 0 <= rest < factor.
struct QuotientSplit {
  int64_t factor;
  IndexExpr whole, rest;
};

/// \p e with the greatest factor of \p den that there is, perhaps 1: its
/// quotients by den are those of whole by den / factor.
QuotientSplit splitDividend(const IndexExpr &e, int64_t den,
                            GreatestOfVar greatest);

/// `dividend % modulus + rest`, with a modulus above 1.
struct Remainder {
  IndexExpr dividend;
  int64_t modulus;
  IndexExpr rest;

  /// The greatest that the remainder can be, whatever the dividend is.
  int64_t greatest() const;
};

/// \p e as such a sum, if it has a remainder of which \p takes has the
/// dividend.
std::optional<Remainder> findRemainder(
    const IndexExpr &e, llvm::function_ref<bool(const IndexExpr &)> takes =
                            [](const IndexExpr &) { return true; });

/// \p e without terms of dividends, of variables that \p isDropped takes, on
/// which no quotient depends: floordiv(8 * b + r, 16) is floordiv(8 * b, 16) if
/// r is below 8.
IndexExpr dropFromDividends(const IndexExpr &e, GreatestOfVar greatest,
                            llvm::function_ref<bool(Var)> isDropped);

} // namespace convopt

#endif // CONVOPT_NEST_QUOTIENTS_H
