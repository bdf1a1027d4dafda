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
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

/// The guard that \p body is, if it is one and nothing else.
static const Guard *onlyGuard(const Body &body) {
  return body.size() == 1 ? dyn_cast<Guard>(body.front().get()) : nullptr;
}

Body mergeGuards(const Body &body) {
  return rewrite(body, [](const NodeRef &n) -> std::optional<Body> {
    const auto *outer = dyn_cast<Guard>(n.get());
    const Guard *inner = outer ? onlyGuard(outer->body) : nullptr;
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

} // namespace convopt
