//===- FlatExpr.cpp - Index expressions to be evaluated often -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlatExpr.h"

namespace convopt::verify {

FlatExpr::FlatExpr(const IndexExpr &e, const Values &layout) {
  for (const auto &[monomial, coefficient] : e.terms()) {
    Term t;
    t.coefficient = coefficient;
    for (const Atom &a : monomial)
      if (a.isVar())
        t.slots.push_back(layout.slot(a.asVar()));
      else
        t.quotients.emplace_back(FlatExpr(a.num(), layout),
                                 FlatExpr(a.den(), layout));
    terms.push_back(std::move(t));
  }
}

std::optional<int64_t> FlatExpr::evaluate(const Values &values) const {
  int64_t sum = 0;
  for (const Term &t : terms) {
    int64_t product = t.coefficient;
    for (unsigned slot : t.slots) {
      if (!values.at(slot))
        return std::nullopt;
      product *= *values.at(slot);
    }
    for (const auto &[numerator, denominator] : t.quotients) {
      std::optional<int64_t> n = numerator.evaluate(values);
      std::optional<int64_t> d = denominator.evaluate(values);
      if (!n || !d || *d <= 0)
        return std::nullopt;
      product *= divideFloor(*n, *d);
    }
    sum += product;
  }
  return sum;
}

} // namespace convopt::verify
