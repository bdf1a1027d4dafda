//===- Skew.cpp - Start a loop later in each iteration around it ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for t in 0 .. T {            for t in 0 .. T {
//     for x in 0 .. N {            for x in t .. N + t {
//       S[t, x]: ...                 S[t, x = x - t]: ...
//     }                            }
//   }                            }
//
// Instances run in the same order: within an iteration of `t` all of them move
// by the same distance.
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Skew.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

static Error check(const Nest &nest, const LoopPath &path, unsigned by,
                   int64_t factor) {
  const Loop &l = *path.loop;
  const std::string &name = nest.loopNames[l.id];
  bool isAround = any_of(select<Loop>(path.enclosing),
                         [&](const Loop *outer) { return outer->id == by; });
  if (!isAround)
    return refuse("structure",
                  "loop '" + name + "' is not inside of loop '" +
                      nest.loopNames[by] + "'",
                  l.range, "skew the inner loop by the outer one");
  if (l.kind != LoopKind::Serial)
    return refuse("structure",
                  "loop '" + name + "' is already mapped or unrolled", l.range,
                  "skew it before that");
  if (factor == 0 || factor < -INT32_MAX || factor > INT32_MAX)
    return refuse("usage",
                  "skew factor " + std::to_string(factor) + " for loop '" +
                      name +
                      "' is not in 1 .. 2147483647, nor in -2147483647 "
                      ".. -1",
                  l.range, "give how many iterations later each one starts");
  return Error::success();
}

Expected<Nest> skew(const Nest &nest, unsigned loop, unsigned by,
                    int64_t factor) {
  ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, loop));
  RETURN_IF_ERROR(check(nest, path, by, factor));
  const IndexExpr distance = IndexExpr(factor) * IndexExpr::loop(by);
  auto skewed = std::make_shared<Loop>(*path.loop);
  for (std::vector<Bound> *bounds : {&skewed->lower, &skewed->upper})
    for (Bound &b : *bounds) {
      b.expr += IndexExpr(b.divisor) * distance;
      if (!b.expr.isValid())
        return refuse("usage",
                      "skew factor " + std::to_string(factor) +
                          " is too large for the bounds of loop '" +
                          nest.loopNames[loop] + "'",
                      skewed->range, "give a smaller factor");
    }
  skewed->body = substituteLoops(nest, skewed->body, [&](Var v) {
    return v == loopVar(loop) ? std::optional(IndexExpr::loop(loop) - distance)
                              : std::nullopt;
  });
  return replaceLoop(nest, loop, {skewed});
}

const Pass skewPass{"skew", "LOOP,BY,FACTOR",
                    "Start a loop later in each iteration of one around it",
                    bindTo<skew, Word::Loop, Word::Loop, Word::Number>};

} // namespace convopt
