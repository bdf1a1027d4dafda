//===- Bounds.cpp - Bounds that others imply -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Bounds.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

/// \p value and then the bounds that are not constant, each once.
static std::vector<Bound> withConstant(const Nest &nest,
                                       const std::vector<Bound> &bounds,
                                       std::optional<int64_t> value) {
  std::vector<Bound> result;
  if (value)
    result.push_back({IndexExpr(*value), 1});
  for (const Bound &b : bounds)
    if (!constantValue(nest, b) && !is_contained(result, b))
      result.push_back(b);
  return result;
}

/// The greatest of the constants among \p bounds, which are lower ones.
static std::optional<int64_t>
greatestConstant(const Nest &nest, const std::vector<Bound> &bounds) {
  std::optional<int64_t> greatest;
  for (const Bound &b : bounds)
    if (std::optional<int64_t> value = constantValue(nest, b))
      greatest = std::max(greatest.value_or(*value), *value);
  return greatest;
}

void simplifyBounds(const Nest &nest, Loop &l,
                    ArrayRef<const Loop *> enclosing) {
  std::optional<int64_t> upper = constantUpper(nest, l);
  l.lower = withConstant(nest, l.lower, greatestConstant(nest, l.lower));
  l.upper = withConstant(nest, l.upper, upper);
  if (!upper)
    return;
  // ceil(e / d) >= upper where e >= d * (upper - 1) + 1.
  erase_if(l.upper, [&](const Bound &b) {
    IndexExpr least = IndexExpr(b.divisor) * IndexExpr(*upper - 1) + 1;
    return !b.expr.isConstant() &&
           isProvablyNonNegative(nest, b.expr - least, enclosing);
  });
}

} // namespace convopt
