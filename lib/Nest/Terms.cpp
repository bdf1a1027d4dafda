//===- Terms.cpp - What index expressions are made of ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Terms.h"

namespace convopt {

IndexExpr term(const Monomial &m, int64_t coefficient) {
  IndexExpr e(coefficient);
  for (const Atom &a : m)
    e = e * (a.isVar() ? IndexExpr::of(a.asVar())
                       : IndexExpr::floorDiv(a.num(), a.den()));
  return e;
}

std::optional<Monomial> divide(const Monomial &m, const Monomial &divisor) {
  if (!std::includes(m.begin(), m.end(), divisor.begin(), divisor.end()))
    return std::nullopt;
  Monomial ratio;
  std::set_difference(m.begin(), m.end(), divisor.begin(), divisor.end(),
                      std::back_inserter(ratio));
  return ratio;
}

int64_t commonFactor(const IndexExpr &e) {
  int64_t factor = 0;
  for (const auto &[m, c] : e.terms())
    if (!m.empty())
      factor = std::gcd(factor, c);
  return factor;
}

IndexExpr reduced(const IndexExpr &e) {
  const int64_t g = commonFactor(e);
  return g > 1 ? IndexExpr::floorDiv(e, g) : e;
}

IndexExpr hasOne(const Bound &lower, const Bound &upper) {
  if (lower.divisor == 1)
    return upper.expr - IndexExpr(upper.divisor) * lower.expr - 1;
  if (upper.divisor == 1)
    return IndexExpr(lower.divisor) * (upper.expr - 1) - lower.expr;
  // Among as many numbers as the divisor one is a multiple.
  const IndexExpr length = upper.expr - lower.expr - lower.divisor;
  if (lower.divisor == upper.divisor && length.asConstant().value_or(-1) >= 0)
    return 0;
  auto ceil = [](const Bound &b) {
    return IndexExpr::floorDiv(b.expr + (b.divisor - 1), IndexExpr(b.divisor));
  };
  return ceil(upper) - ceil(lower) - 1;
}

} // namespace convopt
