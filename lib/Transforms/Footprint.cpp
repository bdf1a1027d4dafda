//===- Footprint.cpp - The box of elements that loops touch ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic rather than isl's fixed boxes: sizes of a box may be
// parameters (a filter's width), which those do not allow. Legality proves
// with isl that the box holds every element that is read.
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

/// Where \p bounds leave an end of the interval: the constant one, or the only
/// one that needs no division.
static std::optional<IndexExpr> endOf(const Nest &nest,
                                      ArrayRef<Bound> bounds) {
  for (const Bound &b : bounds)
    if (std::optional<int64_t> value = constantValue(nest, b))
      return IndexExpr(*value);
  for (const Bound &b : bounds)
    if (b.divisor == 1)
      return b.expr;
  return std::nullopt;
}

/// Whether every iteration of the nest has \p coefficient at least 0 (or, where
/// \p sign is -1, at most 0), by the nest's assumptions and loops.
static bool hasSign(const Nest &nest, const IndexExpr &coefficient, int sign) {
  IndexExpr e = sign < 0 ? -coefficient : coefficient;
  if (isProvablyNonNegative(nest, e, {}))
    return true;
  return any_of(nest.assumptions, [&](const Assumption &a) {
    return a.fact.kind == Constraint::NonNegative &&
           isProvablyNonNegative(nest, e - a.fact.expr, {});
  });
}

std::optional<Range> rangeOf(const Nest &nest, const IndexExpr &e,
                             ArrayRef<const Loop *> varying) {
  Range range{e, e};
  for (const Loop *l : llvm::reverse(varying)) {
    Var v = loopVar(l->id);
    std::optional<IndexExpr> first = endOf(nest, l->lower);
    std::optional<IndexExpr> end = endOf(nest, l->upper);
    for (bool least : {true, false}) {
      IndexExpr &side = least ? range.least : range.greatest;
      std::optional<IndexExpr> c = side.symbolicCoefficient(v);
      if (!c || !first || !end)
        return std::nullopt;
      if (c->isZero())
        continue;
      bool grows = hasSign(nest, *c, 1);
      if (!grows && !hasSign(nest, *c, -1))
        return std::nullopt;
      side = side.substitute(v, grows == least ? *first : *end - 1);
    }
  }
  return range;
}

std::optional<Range> hull(const Nest &nest, const Range &a, const Range &b) {
  auto smaller = [&](const IndexExpr &x,
                     const IndexExpr &y) -> std::optional<IndexExpr> {
    if (isProvablyNonNegative(nest, y - x, {}))
      return x;
    if (isProvablyNonNegative(nest, x - y, {}))
      return y;
    return std::nullopt;
  };
  std::optional<IndexExpr> least = smaller(a.least, b.least);
  std::optional<IndexExpr> greatest = smaller(-a.greatest, -b.greatest);
  if (!least || !greatest)
    return std::nullopt;
  return Range{*least, -*greatest};
}

} // namespace convopt
