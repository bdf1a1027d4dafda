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

#include "convopt/Transforms/Footprint.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace convopt {

/// Which of several bounds leaves an end of the interval.
enum class Prefer { Constant, Symbolic, Quotient };

/// Where \p bounds leave an end of the interval: a constant one, or one that
/// needs no division.
static std::optional<IndexExpr> endOf(const Nest &nest, ArrayRef<Bound> bounds,
                                      Prefer prefer) {
  std::optional<IndexExpr> constant, symbolic, quotient;
  for (const Bound &b : bounds) {
    if (std::optional<int64_t> value = constantValue(nest, b))
      constant = IndexExpr(*value);
    else if (b.divisor == 1 && !symbolic)
      symbolic = b.expr;
    else if (!b.expr.usesLoops())
      quotient = IndexExpr::floorDiv(b.expr + (b.divisor - 1), b.divisor);
  }
  if (prefer == Prefer::Quotient && !constant && !symbolic)
    return quotient;
  bool takesConstant = constant && (prefer != Prefer::Symbolic || !symbolic);
  return takesConstant ? constant : symbolic;
}

/// Whether every iteration of the nest has \p coefficient at least 0 (or, where
/// \p sign is -1, at most 0), by the nest's assumptions and loops.
static bool hasSign(const Nest &nest, const IndexExpr &coefficient, int sign) {
  IndexExpr e = sign < 0 ? -coefficient : coefficient;
  if (isProvablyNonNegative(nest, e, {}))
    return true;
  return any_of(nest.assumptions, [&](const Assumption &a) {
    return !a.spanned && a.fact.kind == Constraint::NonNegative &&
           isProvablyNonNegative(nest, e - a.fact.expr, {});
  });
}

/// Ends of the interval of \p e, the \p least or the greatest; loops of threads
/// and registers have whole tiles whatever \p prefer says. Where \p anySign,
/// and nothing is known of the sign that a loop has in \p e, both ends of that
/// loop: one of the values is the extreme one.
static std::optional<std::vector<IndexExpr>>
extremes(const Nest &nest, const IndexExpr &e, ArrayRef<const Loop *> varying,
         Prefer prefer, bool least, bool anySign) {
  constexpr size_t Most = 8;
  std::vector<IndexExpr> values{e};
  for (const Loop *l : llvm::reverse(varying)) {
    Var v = loopVar(l->id);
    bool isTile = l->kind != LoopKind::Serial && prefer == Prefer::Symbolic;
    Prefer upper = isTile ? Prefer::Constant : prefer;
    std::optional<IndexExpr> first = endOf(nest, l->lower, Prefer::Constant);
    std::optional<IndexExpr> end = endOf(nest, l->upper, upper);
    std::vector<IndexExpr> before = std::move(values);
    values.clear();
    for (const IndexExpr &value : before) {
      std::optional<IndexExpr> c = value.symbolicCoefficient(v);
      if (!c)
        return std::nullopt;
      if (c->isZero()) {
        values.push_back(value);
        continue;
      }
      bool grows = hasSign(nest, *c, 1);
      bool isKnown = grows || hasSign(nest, *c, -1);
      bool takesFirst = !isKnown || grows == least;
      bool takesLast = !isKnown || grows != least;
      if ((!isKnown && !anySign) || (takesFirst && !first) ||
          (takesLast && !end))
        return std::nullopt;
      if (takesFirst)
        values.push_back(value.substitute(v, *first));
      if (takesLast)
        values.push_back(value.substitute(v, *end - 1));
    }
    if (values.size() > Most)
      return std::nullopt;
  }
  return values;
}

static std::optional<Range> rangeBy(const Nest &nest, const IndexExpr &e,
                                    ArrayRef<const Loop *> varying,
                                    Prefer prefer) {
  auto least = extremes(nest, e, varying, prefer, true, /*anySign=*/false);
  auto greatest = extremes(nest, e, varying, prefer, false, /*anySign=*/false);
  if (!least || !greatest)
    return std::nullopt;
  return Range{least->front(), greatest->front()};
}

std::optional<Range> rangeOf(const Nest &nest, const IndexExpr &e,
                             ArrayRef<const Loop *> varying, bool wholeTiles) {
  if (auto range = rangeBy(nest, e, varying, Prefer::Constant))
    return range;
  if (wholeTiles)
    if (auto range = rangeBy(nest, e, varying, Prefer::Quotient))
      return range;
  // Strips of 4 for which no last one is known still end where the loop did
  // that they are of: 4 * n_o + (N - 4 * n_o).
  return rangeBy(nest, e, varying, Prefer::Symbolic);
}

int64_t strideOf(const Nest &nest, const IndexExpr &e,
                 ArrayRef<const Loop *> varying) {
  auto varies = [&](const Bound &b) {
    return any_of(varying,
                  [&](const Loop *l) { return b.expr.uses(loopVar(l->id)); });
  };
  IndexExpr expanded = nest.expandDefinitions(e);
  int64_t stride = 0;
  for (const Loop *l : varying) {
    std::optional<IndexExpr> c = expanded.symbolicCoefficient(loopVar(l->id));
    if (c && (c->isZero() || constantTrips(nest, *fullTile(nest, *l)) == 1))
      continue;
    std::optional<int64_t> constant = c ? c->asConstant() : std::nullopt;
    if (!constant || any_of(l->lower, varies))
      return 1;
    stride = std::gcd(stride, *constant);
  }
  return stride;
}

std::vector<IndexExpr> leastValues(const Nest &nest, const IndexExpr &e,
                                   ArrayRef<const Loop *> varying) {
  for (Prefer prefer : {Prefer::Constant, Prefer::Symbolic})
    if (auto least = extremes(nest, e, varying, prefer, true, /*anySign=*/true))
      return *least;
  return {};
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
