//===- StripMine.cpp - Split a loop into strips --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y in 0 .. H {            for y_o in 0 .. ceildiv(H, 16) {
//     S[y]: ...                    for y_i in 0 .. min(16, H - 16 * y_o) {
//   }                                S[y = 16 * y_o + y_i]: ...
//                                  }
//                                }
//
// A bound `y < ceil(e / d)` becomes `y_o < ceil(e / (d * 16))` and
// `y_i < ceil((e - 16 * d * y_o) / d)`, which is exact: the ceiling of a
// ceiling is the ceiling of the product of the divisors.
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/StripMine.h"
#include "NewName.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

static Error check(const Nest &nest, const Loop &l, int64_t factor,
                   StringRef outer, StringRef inner) {
  const std::string &name = nest.loopNames[l.id];
  if (factor < 1 || factor > INT32_MAX)
    return refuse("usage",
                  "strip-mine factor " + std::to_string(factor) +
                      " for loop '" + name + "' is not in 1 .. 2147483647",
                  l.range, "give a positive number of iterations");
  if (l.kind != LoopKind::Serial)
    return refuse("structure",
                  "loop '" + name + "' is already mapped or unrolled", l.range,
                  "strip-mine it before that");
  for (StringRef given : {outer, inner})
    if (!given.empty())
      RETURN_IF_ERROR(checkNewName(nest, given, "loop", l.range));
  if (!outer.empty() && outer == inner)
    return refuse("usage",
                  "both new loops would be called '" + outer.str() + "'",
                  l.range, "choose two names");
  for (const Bound &b : l.upper)
    if (int64_t product; MulOverflow(b.divisor, factor, product))
      return refuse("usage",
                    "strip-mine factor " + std::to_string(factor) +
                        " is too large for the bounds of loop '" + name + "'",
                    l.range, "give a smaller factor");
  return Error::success();
}

/// The lower bound that strips are counted from: a constant one, else one
/// without a division. The others stay as bounds inside the strips.
static size_t chooseBase(const std::vector<Bound> &lower) {
  auto constant = find_if(lower, [](const Bound &b) {
    return b.divisor == 1 && b.expr.isConstant();
  });
  if (constant != lower.end())
    return constant - lower.begin();
  auto whole = find_if(lower, [](const Bound &b) { return b.divisor == 1; });
  return whole != lower.end() ? whole - lower.begin() : 0;
}

static IndexExpr value(const Bound &b) {
  return IndexExpr::floorDiv(b.expr + IndexExpr(b.divisor - 1),
                             IndexExpr(b.divisor));
}

Expected<Nest> stripMine(const Nest &nest, unsigned loop, int64_t factor,
                         StringRef outerName, StringRef innerName) {
  ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, loop));
  const Loop &old = *path.loop;
  RETURN_IF_ERROR(check(nest, old, factor, outerName, innerName));

  Nest named = nest;
  std::string name = nest.loopNames[loop];
  auto outer = std::make_shared<Loop>(
      named.addLoopName(outerName.empty() ? name + "_o" : outerName.str()),
      old.range);
  auto inner = std::make_shared<Loop>(
      named.addLoopName(innerName.empty() ? name + "_i" : innerName.str()),
      old.range);

  size_t baseIndex = chooseBase(old.lower);
  IndexExpr base = value(old.lower[baseIndex]);
  IndexExpr start = base + IndexExpr(factor) * IndexExpr::loop(outer->id);
  outer->lower = {{IndexExpr(0), 1}};
  inner->lower = {{IndexExpr(0), 1}};
  for (size_t i = 0; i != old.lower.size(); ++i)
    if (const Bound &b = old.lower[i]; i != baseIndex)
      inner->lower.push_back(
          {b.expr - IndexExpr(b.divisor) * start, b.divisor});
  inner->upper = {{IndexExpr(factor), 1}};
  for (const Bound &b : old.upper) {
    outer->upper.push_back(
        {b.expr - IndexExpr(b.divisor) * base, b.divisor * factor});
    inner->upper.push_back({b.expr - IndexExpr(b.divisor) * start, b.divisor});
  }

  std::vector<const Loop *> enclosing = loopsAmong(path.enclosing);
  simplifyBounds(named, *outer, enclosing);
  enclosing.push_back(outer.get());
  simplifyBounds(named, *inner, enclosing);

  IndexExpr iterator = start + IndexExpr::loop(inner->id);
  inner->body = substituteLoops(named, old.body, [&](Var v) {
    return v == loopVar(loop) ? std::optional<IndexExpr>(iterator)
                              : std::nullopt;
  });
  outer->body = {inner};
  return replaceLoop(named, loop, {outer});
}

const Pass stripMinePass{
    "strip-mine", "LOOP,FACTOR[,OUTER,INNER]", "Split a loop into strips",
    bindTo<stripMine, Word::Loop, Word::Number, Word::NewName, Word::NewName>};

} // namespace convopt
