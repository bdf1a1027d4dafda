//===- ImpliedGuards.cpp - Guards that always hold ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Intervals.h"
#include "convopt/Transforms/Bounds.h"

using namespace llvm;

namespace convopt {

static Body withoutImplied(const Nest &nest, const Body &body,
                           std::vector<const Loop *> loops) {
  Body result;
  for (const NodeRef &n : body) {
    if (const auto *l = dyn_cast<Loop>(n.get())) {
      std::vector<const Loop *> inner = loops;
      inner.push_back(l);
      result.push_back(withBody(*l, withoutImplied(nest, l->body, inner)));
    } else if (const auto *g = dyn_cast<Guard>(n.get())) {
      auto copy = std::make_shared<Guard>(*g);
      erase_if(copy->conditions, [&](const Constraint &c) {
        return isProvablyTrue(nest, c, loops);
      });
      copy->body = withoutImplied(nest, g->body, loops);
      if (copy->conditions.empty())
        append_range(result, copy->body);
      else
        result.push_back(copy);
    } else {
      result.push_back(n);
    }
  }
  return result;
}

Nest withoutImpliedGuards(const Nest &nest) {
  Nest result = nest;
  result.body = withoutImplied(nest, nest.body, {});
  return result;
}

} // namespace convopt
