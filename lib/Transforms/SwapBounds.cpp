//===- SwapBounds.cpp - Bounds of two loops turned round ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for r in 0 .. 2 {                    for t in 0 .. min(4, W) {
//     for t in 0 .. min(4, W - 4 * r) {    for r in 0 .. min(2, ceildiv(W - t,
//     4)) {
//
// A bound `d * t < e + c * r` becomes one of r, by solving it for r. What it
// leaves of t is what it allows at the end of r's range where it allows most:
// elimination by Fourier and Motzkin.
//
//===----------------------------------------------------------------------===//

#include "SwapBounds.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

namespace {

class Swap {
public:
  Swap(const Loop &outer, const Loop &inner)
      : nowInner(outer), nowOuter(inner), outer(outer), inner(inner) {}

  bool run() {
    nowOuter.lower.clear();
    nowOuter.upper.clear();
    return all_of(inner.lower, [&](const Bound &b) { return add(b, false); }) &&
           all_of(inner.upper, [&](const Bound &b) { return add(b, true); });
  }

  Loop nowInner, nowOuter;

private:
  bool add(const Bound &b, bool isUpper);

  const Loop &outer, &inner;
};

} // namespace

bool Swap::add(const Bound &b, bool isUpper) {
  Var v = loopVar(outer.id);
  std::vector<Bound> &rest = isUpper ? nowOuter.upper : nowOuter.lower;
  if (!b.expr.uses(v)) {
    rest.push_back(b);
    return true;
  }
  std::optional<IndexExpr> symbolic = b.expr.symbolicCoefficient(v);
  std::optional<int64_t> c = symbolic ? symbolic->asConstant() : std::nullopt;
  if (!c || *c == INT64_MIN)
    return false;
  IndexExpr e = b.expr - IndexExpr(*c) * IndexExpr::of(v);
  // With i for the inner loop and o for the outer one, an upper bound says
  // d * i < e + c * o, a lower one d * i >= e + c * o.
  IndexExpr gap = e - IndexExpr(b.divisor) * IndexExpr::loop(inner.id);
  bool limitsAbove = isUpper == (*c < 0);
  (limitsAbove ? nowInner.upper : nowInner.lower)
      .push_back({*c < 0 ? gap : 1 - gap, std::abs(*c)});
  for (const Bound &end : limitsAbove ? outer.lower : outer.upper) {
    int64_t divisor;
    if (MulOverflow(b.divisor, end.divisor, divisor))
      return false;
    IndexExpr at = limitsAbove ? end.expr : end.expr - 1;
    rest.push_back({IndexExpr(end.divisor) * e + IndexExpr(*c) * at, divisor});
  }
  return true;
}

bool swapBounds(Loop &outer, Loop &inner) {
  Swap swap(outer, inner);
  if (!swap.run())
    return false;
  outer.lower = std::move(swap.nowInner.lower);
  outer.upper = std::move(swap.nowInner.upper);
  inner.lower = std::move(swap.nowOuter.lower);
  inner.upper = std::move(swap.nowOuter.upper);
  return true;
}

} // namespace convopt
