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
    Product p{coefficient, {}, {}};
    for (const Atom &a : monomial)
      if (a.isVar())
        p.slots.push_back(layout.slot(a.asVar()));
      else
        p.quotients.emplace_back(FlatExpr(a.num(), layout),
                                 FlatExpr(a.den(), layout));
    if (monomial.empty())
      constant = coefficient;
    else if (p.slots.size() == 1 && p.quotients.empty())
      linear.emplace_back(p.slots[0], coefficient);
    else
      products.push_back(std::move(p));
  }
}

std::optional<int64_t> FlatExpr::evaluate(const Values &values) const {
  int64_t sum = constant;
  for (const auto &[slot, coefficient] : linear) {
    if (!values.isKnown(slot))
      return std::nullopt;
    sum += coefficient * values[slot];
  }
  for (const Product &p : products) {
    int64_t product = p.coefficient;
    for (unsigned slot : p.slots) {
      if (!values.isKnown(slot))
        return std::nullopt;
      product *= values[slot];
    }
    for (const auto &[numerator, denominator] : p.quotients) {
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
