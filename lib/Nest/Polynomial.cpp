//===- Polynomial.cpp - Exact division of index expressions ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Polynomial.h"

namespace convopt {

/// Higher degree first, then lexicographic: an order that multiplication
/// keeps, so that division by leading terms ends.
static bool leads(const Monomial &a, const Monomial &b) {
  if (a.size() != b.size())
    return a.size() > b.size();
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

static std::pair<Monomial, int64_t> leadingTerm(const IndexExpr &e) {
  auto best = e.terms().begin();
  for (auto it = e.terms().begin(); it != e.terms().end(); ++it)
    if (leads(it->first, best->first))
      best = it;
  return *best;
}

Quotient divide(const IndexExpr &num, const IndexExpr &den) {
  Quotient result;
  auto [denMonomial, denCoefficient] = leadingTerm(den);
  IndexExpr rest = num;
  while (rest.isValid() && !rest.isZero()) {
    auto [m, c] = leadingTerm(rest);
    std::optional<Monomial> r = divide(m, denMonomial);
    if (r && c % denCoefficient == 0) {
      IndexExpr q = term(*r, c / denCoefficient);
      result.quotient += q;
      rest -= q * den;
    } else {
      result.remainder += term(m, c);
      rest -= term(m, c);
    }
  }
  return result;
}

std::optional<IndexExpr> divideExactly(const IndexExpr &num,
                                       const IndexExpr &den) {
  if (!num.isValid() || !den.isValid() || den.isZero())
    return std::nullopt;
  Quotient q = divide(num, den);
  if (!q.remainder.isZero() || !q.quotient.isValid())
    return std::nullopt;
  return q.quotient;
}

static IndexExpr normalFloor(const IndexExpr &num, const IndexExpr &den) {
  // Multiples of the divisor come out first: floor((d * q + r) / d).
  Quotient parts = divide(num, den);
  const IndexExpr &rest = parts.remainder;
  if (rest.terms().size() == 1) {
    const auto &[m, c] = *rest.terms().begin();
    if (c == 1 && m.size() == 1 && !m[0].isVar())
      return parts.quotient + normalFloor(m[0].num(), m[0].den() * den);
  }
  return parts.quotient + IndexExpr::floorDiv(rest, den);
}

IndexExpr normalizeQuotients(const IndexExpr &e) {
  IndexExpr result;
  for (const auto &[m, c] : e.terms()) {
    IndexExpr product(c);
    for (const Atom &a : m)
      product =
          product * (a.isVar() ? IndexExpr::of(a.asVar())
                               : normalFloor(normalizeQuotients(a.num()),
                                             normalizeQuotients(a.den())));
    result += product;
  }
  return result;
}

std::optional<Atom> findQuotient(const IndexExpr &e,
                                 llvm::function_ref<bool(const Atom &)> which) {
  for (const auto &[m, c] : e.terms())
    for (const Atom &a : m)
      if (!a.isVar() && which(a))
        return a;
  return std::nullopt;
}

Constraint multipliedOut(const Constraint &c) {
  std::optional<Atom> q = findQuotient(c.expr, [](const Atom &a) {
    return a.num().usesLoops() && !a.den().usesLoops();
  });
  for (int sign : {1, -1}) {
    if (!q || c.kind == Constraint::Zero)
      break;
    IndexExpr rest = c.expr - IndexExpr(sign) * term({*q}, 1);
    if (findQuotient(rest, [&](const Atom &a) { return a == *q; }))
      continue;
    return multipliedOut(
        {Constraint::NonNegative,
         rest * q->den() + (sign > 0 ? q->num() : q->den() - 1 - q->num())});
  }
  return c;
}

std::optional<Monomial> asProduct(const IndexExpr &e) {
  if (e.terms().size() != 1 || e.terms().begin()->second <= 0)
    return std::nullopt;
  for (const Atom &a : e.terms().begin()->first)
    if (!a.isVar() || a.asVar().kind != Var::Param)
      return std::nullopt;
  return e.terms().begin()->first;
}

} // namespace convopt
