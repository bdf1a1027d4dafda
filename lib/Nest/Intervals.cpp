//===- Intervals.cpp - Intervals of index expressions ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Prover.h"

using namespace llvm;

namespace convopt {

bool isProvablyNonNegative(const Nest &nest, const IndexExpr &e,
                           ArrayRef<const Loop *> loops) {
  return Prover(nest, /*asksFacts=*/false).isKnown(e, loops);
}

bool isProvablyTrue(const Nest &nest, const Constraint &c,
                    ArrayRef<const Loop *> loops) {
  return isProvablyNonNegative(nest, c.expr, loops) &&
         (c.kind == Constraint::NonNegative ||
          isProvablyNonNegative(nest, -c.expr, loops));
}

std::vector<IndexExpr> assumedFacts(const Nest &nest) {
  std::vector<IndexExpr> facts;
  for (const Assumption &known : nest.assumptions)
    if (!known.spanned) // not a fact of the nest
      facts.push_back(nest.expandDefinitions(known.fact.expr));
  return facts;
}

std::optional<int> signOf(const Nest &nest, const IndexExpr &e) {
  if (std::optional<int64_t> c = e.asConstant())
    return *c < 0 ? -1 : 1;
  Prover prover(nest, /*asksFacts=*/false);
  for (const IndexExpr &fact : assumedFacts(nest))
    prover.know(fact);
  for (int sign : {1, -1})
    if (prover.isKnown(sign * e, {}))
      return sign;
  return std::nullopt;
}

std::vector<IndexExpr> leastAtEnds(const IndexExpr &e,
                                   ArrayRef<const Loop *> loops,
                                   DirectionOf direction, EndOf end) {
  constexpr size_t Most = 8;
  std::vector<IndexExpr> values{e};
  for (const Loop *l : reverse(loops)) {
    const Var v = loopVar(l->id);
    for (const IndexExpr &value : std::exchange(values, {})) {
      if (!value.uses(v)) {
        values.push_back(value);
        continue;
      }
      const std::optional<int> grows = direction(value, v);
      if (!grows)
        return {};
      for (bool isLast : {false, true}) {
        if (*grows == (isLast ? 1 : -1))
          continue;
        const std::optional<IndexExpr> at = end(*l, isLast);
        if (!at)
          return {};
        values.push_back(value.substitute(v, *at));
      }
    }
    if (values.size() > Most)
      return {};
  }
  return values;
}

std::optional<IndexExpr> onlyEnd(const Loop &l, bool isLast) {
  const std::vector<Bound> &ends = isLast ? l.upper : l.lower;
  if (ends.size() != 1 || ends[0].divisor != 1)
    return std::nullopt;
  return ends[0].expr - (isLast ? 1 : 0);
}

std::optional<IndexExpr> mostAtEnds(const Nest &nest, const IndexExpr &e,
                                    ArrayRef<const Loop *> loops) {
  const std::vector<IndexExpr> least = leastAtEnds(
      -e, loops,
      [&](const IndexExpr &value, Var v) {
        const std::optional<IndexExpr> times = value.symbolicCoefficient(v);
        return times ? signOf(nest, *times) : std::nullopt;
      },
      [](const Loop &l, bool isLast) {
        return onlyEnd(l, isLast).value_or(IndexExpr::loop(l.id));
      });
  return least.empty() ? std::nullopt : std::optional(-least[0]);
}

std::vector<const Loop *> loopsAmong(ArrayRef<NodeRef> enclosing) {
  auto loops = select<Loop>(enclosing);
  return {loops.begin(), loops.end()};
}

} // namespace convopt
