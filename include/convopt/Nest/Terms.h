//===- Terms.h - What index expressions are made of -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_TERMS_H
#define CONVOPT_NEST_TERMS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// \p m, \p coefficient times.
IndexExpr term(const Monomial &m, int64_t coefficient = 1);

/// \p m without the atoms of \p divisor; none where it lacks one.
std::optional<Monomial> divide(const Monomial &m, const Monomial &divisor);

/// The greatest number that divides each coefficient of \p e but its constant;
/// 0 where there is none.
int64_t commonFactor(const IndexExpr &e);

/// \p e divided by that factor, with the constant rounded down: `e >= 0` is the
/// same fact about integers.
IndexExpr reduced(const IndexExpr &e);

/// Not negative where an integer i with \p lower <= i < \p upper exists, and
/// nowhere else.
IndexExpr hasOne(const Bound &lower, const Bound &upper);

} // namespace convopt

#endif // CONVOPT_NEST_TERMS_H
