//===- Quotients.cpp - Quotients of fewer terms ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Quotients.h"
#include "convopt/Nest/Terms.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

std::optional<int64_t> greatestValue(const IndexExpr &e,
                                     GreatestOfVar greatest) {
  int64_t sum = 0;
  if (auto r = findRemainder(e)) {
    const std::optional<int64_t> rest = greatestValue(r->rest, greatest);
    return rest && !AddOverflow(r->greatest(), *rest, sum) ? std::optional(sum)
                                                           : std::nullopt;
  }
  for (const auto &[monomial, factor] : e.terms()) {
    int64_t product = factor;
    for (const Atom &a : monomial) {
      std::optional<int64_t> most = a.isVar() ? greatest(a.asVar())
                                              : greatestValue(a.num(), greatest);
      if (most && !a.isVar())
        *most /= a.den().asConstant().value_or(1);
      if (!most || MulOverflow(product, *most, product))
        return std::nullopt;
    }
    if (factor < 0 || AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}

int64_t Remainder::greatest() const {
  int64_t unit = modulus;
  for (const auto &[monomial, factor] : dividend.terms())
    unit = std::gcd(unit, factor);
  return modulus - unit;
}

std::optional<Remainder>
findRemainder(const IndexExpr &e, function_ref<bool(const IndexExpr &)> takes) {
  // What the dividend's terms may be multiples of.
  std::set<int64_t, std::greater<>> units;
  for (const auto &[monomial, factor] : e.terms())
    if (factor > 0)
      units.insert(factor);
  for (const auto &[monomial, factor] : e.terms()) {
    if (factor >= 0 || monomial.size() != 1 || monomial[0].isVar())
      continue;
    const Atom &a = monomial[0];
    const std::optional<int64_t> den = a.den().asConstant();
    const int64_t modulus = -factor;
    for (int64_t unit : units) {
      const int64_t m = modulus / unit;
      if (!den || modulus % unit != 0 || m == 1 || *den % m != 0)
        continue; // a % 1 is nothing
      // floor(n / (d * m)) is floor(floor(n / d) / m).
      const IndexExpr dividend =
          IndexExpr(unit) * IndexExpr::floorDiv(a.num(), *den / m);
      const IndexExpr remainder =
          dividend - IndexExpr(modulus) * IndexExpr::floorDiv(a.num(), a.den());
      const IndexExpr rest = e - remainder;
      if (rest.terms().size() + remainder.terms().size() <= e.terms().size() &&
          takes(dividend))
        return Remainder{dividend, modulus, rest};
    }
  }
  return std::nullopt;
}

QuotientSplit splitDividend(const IndexExpr &e, int64_t den,
                            GreatestOfVar greatest) {
  std::set<int64_t, std::greater<>> factors;
  for (const auto &[monomial, coefficient] : e.terms())
    factors.insert(std::gcd(coefficient, den));
  for (int64_t factor : factors) {
    QuotientSplit s{factor, 0, 0};
    for (const auto &[monomial, coefficient] : e.terms()) {
      const int64_t over =
          coefficient - factor * divideFloorSigned(coefficient, factor);
      // Of a constant, what is left over; of others, all or nothing.
      const int64_t odd = monomial.empty() || over == 0 ? over : coefficient;
      s.rest += term(monomial, odd);
      s.whole += term(monomial, (coefficient - odd) / factor);
    }
    if (std::optional<int64_t> most = greatestValue(s.rest, greatest);
        most && *most < factor)
      return s;
  }
  return {1, e, 0};
}

IndexExpr dropFromDividends(const IndexExpr &e, GreatestOfVar greatest,
                            function_ref<bool(Var)> isDropped) {
  if (!e.hasQuotient())
    return e;
  IndexExpr sum;
  for (const auto &[monomial, factor] : e.terms()) {
    IndexExpr product(factor);
    for (const Atom &a : monomial) {
      const std::optional<int64_t> den =
          a.isVar() ? std::nullopt : a.den().asConstant();
      if (!den) {
        product = product * term({a});
        continue;
      }
      IndexExpr num = dropFromDividends(a.num(), greatest, isDropped);
      const QuotientSplit s = splitDividend(num, *den, greatest);
      for (const auto &[rest, times] : s.rest.terms())
        if (const IndexExpr part = term(rest, times);
            all_of(part.vars(), isDropped))
          num -= part;
      product = product * IndexExpr::floorDiv(num, a.den());
    }
    sum += product;
  }
  return sum;
}

} // namespace convopt
