//===- Sum.cpp - Integers up to a difference ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sum.h"

using namespace llvm;

namespace convopt::program {

void Sum::add(const Expr &e, int64_t factor, const Values &known) {
  if (e.kind() == Expr::Number) {
    number += factor * e.number();
    return;
  }
  if (e.kind() == Expr::Cast && e.type().kind <= Type::Wide)
    return add(e.operand(0), factor, known);
  if (e.kind() == Expr::Unary && e.op() == Op::Negate)
    return add(e.operand(0), -factor, known);
  if (e.kind() == Expr::Binary && (e.op() == Op::Add || e.op() == Op::Sub)) {
    add(e.operand(0), factor, known);
    return add(e.operand(1), e.op() == Op::Add ? factor : -factor, known);
  }
  if (e.kind() == Expr::Binary && e.op() == Op::Mul)
    for (unsigned k : {0, 1})
      if (e.operand(k).kind() == Expr::Number)
        return add(e.operand(1 - k), factor * e.operand(k).number(), known);
  if (e.kind() == Expr::Use)
    if (auto value = known.find(e.variable().get()); value != known.end()) {
      add(value->second, factor);
      return;
    }
  auto term = find_if(terms, [&](const auto &t) { return t.first == e; });
  if (term == terms.end())
    term = terms.insert(term, {e, 0});
  term->second += factor;
  if (term->second == 0)
    terms.erase(term);
}

Sum &Sum::add(const Sum &other, int64_t factor) {
  for (const auto &[term, count] : other.terms)
    add(term, factor * count, Values());
  number += factor * other.number;
  return *this;
}

std::optional<Sum> Sum::with(const Variable &v, const Sum &value) const {
  Sum result = *this, replaced;
  auto isIt = [&](const auto &t) {
    return t.first.kind() == Expr::Use && t.first.variable().get() == &v;
  };
  for (const auto &[term, factor] : make_filter_range(terms, isIt))
    replaced.add(value, factor);
  erase_if(result.terms, isIt);
  if (result.hasVariable([&](const Variable &other) { return &other == &v; }))
    return std::nullopt;
  return result += replaced;
}

bool Sum::hasVariable(function_ref<bool(const Variable &)> is) const {
  bool result = false;
  for (const auto &[term, factor] : terms)
    term.walk([&](const Expr &part) {
      result |= part.variable() && is(*part.variable());
    });
  return result;
}

} // namespace convopt::program
