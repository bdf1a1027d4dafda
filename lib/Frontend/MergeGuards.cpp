//===- MergeGuards.cpp - Conditions of one guard --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (a) if (b) S` is `if (a && b) S`: a guard around nothing but another
/// takes its conditions.
///
//===----------------------------------------------------------------------===//

#include "Resolve.h"

using namespace llvm;

namespace convopt {

/// The guard that \p body is, if it is one and nothing else.
static const Guard *onlyGuard(const Body &body) {
  return body.size() == 1 ? dyn_cast<Guard>(body.front().get()) : nullptr;
}

Body mergeGuards(const Body &body) {
  return rewriteEach<Guard>(body, [](auto *outer) -> std::optional<Body> {
    const Guard *inner = onlyGuard(outer->body);
    if (!inner)
      return std::nullopt;
    auto merged = std::make_shared<Guard>(*outer);
    for (; inner; inner = onlyGuard(inner->body)) {
      append_range(merged->conditions, inner->conditions);
      merged->body = inner->body;
    }
    merged->body = mergeGuards(merged->body);
    return Body{merged};
  });
}

Body guardStarts(const Body &body) {
  return rewriteEach<Loop>(body, [](const Loop *l) -> std::optional<Body> {
    if (l->lower.size() < 2 || any_of(l->lower, [](const Bound &b) {
          return b.expr.usesLoops() || b.divisor != 1;
        }))
      return std::nullopt;
    auto one = std::make_shared<Loop>(*l);
    // What a caller chose is nearer to where rows begin than a number is.
    const Bound start = *find_if(l->lower, [&](const Bound &b) {
      return !b.expr.isConstant() || &b == &l->lower.back();
    });
    auto guard = std::make_shared<Guard>(l->range);
    for (const Bound &b : l->lower)
      if (b.expr != start.expr)
        guard->conditions.push_back(
            {Constraint::NonNegative, IndexExpr::loop(l->id) - b.expr});
    one->lower = {start};
    guard->body = guardStarts(l->body);
    one->body = {guard};
    return Body{one};
  });
}

} // namespace convopt
