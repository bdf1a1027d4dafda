//===- Limits.cpp - Bounds that guards could be ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"

using namespace llvm;

namespace convopt::verify {

static Body withLimitsAsGuards(const Body &body) {
  return rewriteEach<Loop>(body, [](const Loop *l) -> std::optional<Body> {
    auto slides = [](const Bound &b) { return b.expr.usesLoops(); };
    Loop limits = *l;
    auto within = std::make_shared<Loop>(*l);
    auto split = [&](std::vector<Bound> &all, std::vector<Bound> &limit) {
      const bool any = any_of(all, slides);
      erase_if(all, [&](const Bound &b) { return any && !slides(b); });
      erase_if(limit, [&](const Bound &b) { return !any || slides(b); });
    };
    split(within->lower, limits.lower);
    split(within->upper, limits.upper);
    if (limits.lower.empty() && limits.upper.empty())
      return std::nullopt;
    auto guard = std::make_shared<Guard>();
    guard->conditions = loopConstraints(limits);
    guard->body = withLimitsAsGuards(l->body);
    within->body = {std::move(guard)};
    return Body{std::move(within)};
  });
}

Nest withLimitsAsGuards(Nest nest) {
  nest.body = withLimitsAsGuards(nest.body);
  return nest;
}

} // namespace convopt::verify
