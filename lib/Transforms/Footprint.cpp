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
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

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

/// Values one of which is the least of \p e; loops of threads and registers
/// have whole tiles whatever \p prefer says. More than one only where \p
/// anySign, and nothing is known of the sign that a loop has in \p e. Where
/// \p stripsEnd, strips of a loop of \p varying end where that does.
static std::vector<IndexExpr> leastBy(const Nest &nest, const IndexExpr &e,
                                      ArrayRef<const Loop *> varying,
                                      Prefer prefer, bool anySign = false,
                                      bool stripsEnd = false) {
  return leastAtEnds(
      e, varying,
      [&](const IndexExpr &value, Var v) -> std::optional<int> {
        std::optional<IndexExpr> c = value.symbolicCoefficient(v);
        std::optional<int> sign = c ? signOf(nest, *c) : std::nullopt;
        return c && anySign ? sign.value_or(0) : sign;
      },
      [&](const Loop &l, bool isLast) -> std::optional<IndexExpr> {
        if (!isLast)
          return endOf(nest, l.lower, Prefer::Constant);
        const bool isStrip = stripsEnd && any_of(l.upper, [&](const Bound &b) {
          return any_of(varying, [&](const Loop *around) {
            return b.expr.uses(loopVar(around->id));
          });
        });
        bool isTile = l.kind != LoopKind::Serial &&
                      prefer == Prefer::Symbolic && !isStrip;
        std::optional<IndexExpr> end =
            endOf(nest, l.upper, isTile ? Prefer::Constant : prefer);
        return end ? std::optional(*end - 1) : end;
      });
}

static std::optional<Range> rangeBy(const Nest &nest, const IndexExpr &e,
                                    ArrayRef<const Loop *> varying,
                                    Prefer prefer) {
  std::vector<IndexExpr> least = leastBy(nest, e, varying, prefer),
                         most = leastBy(nest, -e, varying, prefer);
  if (least.empty() || most.empty())
    return std::nullopt;
  return Range{least[0], -most[0]};
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
  if (auto range = rangeBy(nest, e, varying, Prefer::Symbolic))
    return range;
  return rangeBy(nest, e, varying, Prefer::Quotient);
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
                                   ArrayRef<const Loop *> varying,
                                   bool wholeStrips) {
  std::vector<IndexExpr> least =
      leastBy(nest, e, varying, Prefer::Constant, /*anySign=*/true);
  return least.empty() ? leastBy(nest, e, varying, Prefer::Symbolic,
                                 /*anySign=*/true, !wholeStrips)
                       : least;
}

std::optional<Range> hull(const Nest &nest, const Range &a, const Range &b) {
  auto smaller = [&](const IndexExpr &x,
                     const IndexExpr &y) -> std::optional<IndexExpr> {
    ASSIGN_OR_RETURN(const int sign, signOf(nest, y - x));
    return sign > 0 ? x : y;
  };
  std::optional<IndexExpr> least = smaller(a.least, b.least);
  std::optional<IndexExpr> greatest = smaller(-a.greatest, -b.greatest);
  if (!least || !greatest)
    return std::nullopt;
  return Range{*least, -*greatest};
}

} // namespace convopt
