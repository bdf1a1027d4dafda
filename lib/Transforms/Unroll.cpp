//===- Unroll.cpp - Unroll a loop -----------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y_r in 0 .. 8 {          for y_r in 0 .. 8 unrolled {
//     S[y_r]: ...                  S[y_r]: ...
//   }                            }
//
// The copies are made by the compiler of the emitted code, at the loop's
// `#pragma unroll`: a reader sees the loop.
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Unroll.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

int64_t unrolledStatements(const Nest &nest, const Body &body,
                           function_ref<int64_t(const Statement &)> weight) {
  int64_t count = 0;
  for (const NodeRef &n : body) {
    int64_t inside = 0;
    if (const auto *s = dyn_cast<Statement>(n.get()))
      inside = weight(*s);
    else if (const auto *g = dyn_cast<Guard>(n.get()))
      inside = unrolledStatements(nest, g->body, weight);
    else if (const auto *l = dyn_cast<Loop>(n.get())) {
      int64_t times = l->kind == LoopKind::Unrolled
                          ? constantTrips(nest, *l).value_or(1)
                          : 1;
      if (MulOverflow(times, unrolledStatements(nest, l->body, weight), inside))
        return INT64_MAX;
    }
    if (AddOverflow(count, inside, count))
      return INT64_MAX;
  }
  return count;
}

static Error checkTrips(const Nest &nest, const Loop &l) {
  const std::string &name = nest.loopNames[l.id];
  if (l.kind != LoopKind::Serial)
    return refuse("structure",
                  "loop '" + name + "' is already mapped or unrolled", l.range,
                  "unroll a serial loop");
  std::optional<int64_t> trips = constantTrips(nest, l);
  if (!trips && hasCompileTimeBounds(nest, l))
    return Error::success();
  if (!trips)
    return refuse("structure",
                  "loop '" + name + "' has no constant number of iterations",
                  l.range, "strip-mine it and unroll the inner loop");
  if (*trips > MaxUnrolledTrips)
    return refuse("limit",
                  "unrolling loop '" + name + "' would write out " +
                      std::to_string(*trips) + " iterations, the limit is " +
                      std::to_string(MaxUnrolledTrips),
                  l.range, "strip-mine it and unroll the inner loop");
  return Error::success();
}

Expected<Nest> unroll(const Nest &nest, unsigned loop) {
  ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, loop));
  RETURN_IF_ERROR(checkTrips(nest, *path.loop));
  auto unrolled = std::make_shared<Loop>(*path.loop);
  unrolled->kind = LoopKind::Unrolled;
  Nest result = replaceLoop(nest, loop, {unrolled});
  int64_t copies = unrolledStatements(nest, result.body);
  if (copies > MaxUnrolledStatements)
    return refuse("limit",
                  "unrolling loop '" + nest.loopNames[loop] +
                      "' would come to " + std::to_string(copies) +
                      " statements, the limit is " +
                      std::to_string(MaxUnrolledStatements),
                  path.loop->range, "unroll fewer or shorter loops");
  return result;
}

const Pass unrollPass{"unroll", "LOOP", "Unroll a loop",
                      bindTo<unroll, Word::Loop>};

} // namespace convopt
