//===- FilterFacts.cpp - What a filter's width says of sizes --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/FilterFacts.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

/// Loops that pass a filter over an input.
static std::set<unsigned> filterLoops(const Nest &nest) {
  LoopsByUse loops = loopsByUse(nest);
  for (unsigned l : loops.parallel)
    loops.window.erase(l);
  return std::move(loops.window);
}

/// The iterations of \p l, over parameters; invalid where there is no such
/// expression.
static IndexExpr lengthOf(const Loop &l) {
  if (l.lower.size() != 1 || l.upper.size() != 1 || l.lower[0].divisor != 1 ||
      l.upper[0].divisor != 1)
    return IndexExpr::invalid();
  IndexExpr length = l.upper[0].expr - l.lower[0].expr;
  return length.usesLoops() ? IndexExpr::invalid() : length;
}

/// The fact that gives \p length the value \p width: where \p length halves a
/// size, as in `2 * (k / 2) + 1`, that the size itself has the value (`k=3`),
/// as more follows from it.
static std::string factOf(const Nest &nest, const IndexExpr &length,
                          int64_t width) {
  const IndexExpr expanded = nest.expandDefinitions(length);
  const std::set<Var> sizes = expanded.vars();
  const bool isOfSize = expanded.hasQuotient() && sizes.size() == 1 &&
                        expanded.evaluate([&](Var) { return width; }) == width;
  return str(nest, isOfSize ? IndexExpr::of(*sizes.begin()) : length) + "=" +
         std::to_string(width);
}

Expected<std::vector<std::string>> filterFacts(const Nest &nest,
                                               int64_t width) {
  std::set<unsigned> filter = filterLoops(nest);
  std::vector<std::string> facts;
  for (const Loop *l : loops(nest)) {
    if (!filter.count(l->id))
      continue;
    IndexExpr length = lengthOf(*l);
    std::optional<int64_t> constant =
        length.isValid() ? nest.expandDefinitions(length).asConstant()
                         : std::nullopt;
    if (!length.isValid() || (constant && *constant != width))
      return refuse("structure",
                    "loop '" + nest.loopNames[l->id] +
                        "' of the filter cannot have " + std::to_string(width) +
                        " iterations",
                    l->range, "say with -assume= which sizes are known");
    if (constant)
      continue;
    const std::string fact = factOf(nest, length, width);
    if (!is_contained(facts, fact))
      facts.push_back(fact);
  }
  if (facts.empty())
    return refuse("structure",
                  "no loop of run-time length passes a filter over an input",
                  nest.function.range,
                  "leave out -filter-widths, or say with -assume= which sizes "
                  "are known");
  return facts;
}

bool isFilterOfTemplate(const Nest &nest) {
  std::set<unsigned> filter = filterLoops(nest);
  bool isKnown = true, isConstant = true;
  for (const Loop *l : loops(nest))
    if (filter.count(l->id)) {
      isKnown &= hasCompileTimeBounds(nest, *l);
      isConstant &= constantTrips(nest, *l).has_value();
    }
  return isKnown && !isConstant;
}

} // namespace convopt
