//===- Polynomial.h - Exact division of index expressions -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_POLYNOMIAL_H
#define CONVOPT_NEST_POLYNOMIAL_H

#include "convopt/Nest/Terms.h"

namespace convopt {

struct Quotient {
  IndexExpr quotient, remainder;
};

/// \p num as `den * quotient + remainder`, by division of leading terms;
/// quotients of floor divisions are opaque. \p den is not zero. Exact where the
/// remainder is zero.
Quotient divide(const IndexExpr &num, const IndexExpr &den);

/// `num / den` where that is a polynomial.
std::optional<IndexExpr> divideExactly(const IndexExpr &num,
                                       const IndexExpr &den);

/// The parameters of \p e when it is a product of some with a positive
/// coefficient.
std::optional<Monomial> asProduct(const IndexExpr &e);

/// \p e with nested quotients flattened (floor(floor(a / b) / c) is
/// floor(a / (b * c))) and multiples of a divisor taken out of its quotient;
/// divisors are positive.
IndexExpr normalizeQuotients(const IndexExpr &e);

/// The first quotient in \p e that \p which accepts.
std::optional<Atom> findQuotient(const IndexExpr &e,
                                 llvm::function_ref<bool(const Atom &)> which);

/// The same without a rounded quotient of loops where that can be: `c <=
/// floor(n / d)` is `c * d <= n`, and `floor(n / d) <= c` is `n < (c + 1) * d`.
Constraint multipliedOut(const Constraint &c);

} // namespace convopt

#endif // CONVOPT_NEST_POLYNOMIAL_H
