//===- Interchange.cpp - Reorder perfectly nested loops ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y in 0 .. H {            for x in 0 .. W {
//     for x in 0 .. W {            for y in 0 .. H {
//       S[y, x]: ...                 S[y, x]: ...
//     }                            }
//   }                            }
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Interchange.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace convopt {

static Error checkNames(const Nest &nest, ArrayRef<unsigned> order) {
  if (order.size() < 2)
    return refuse("usage", "interchange needs two loops or more",
                  nest.function.range,
                  "name the loops of a band in their new order");
  for (size_t i = 0; i != order.size(); ++i)
    if (is_contained(order.take_front(i), order[i]))
      return refuse("usage",
                    "interchange names loop '" + nest.loopNames[order[i]] +
                        "' twice",
                    nest.function.range, "name each loop once");
  return Error::success();
}

/// The outermost of \p order: the first that the tree holds.
static const Loop *outermost(const Nest &nest, ArrayRef<unsigned> order) {
  for (const Loop *l : loops(nest))
    if (is_contained(order, l->id))
      return l;
  return nullptr;
}

static Error notPerfect(const Nest &nest, ArrayRef<unsigned> order,
                        const Loop &innermost) {
  // Point at what stands beside a loop.
  const Node *beside =
      innermost.body.empty() ? nullptr : innermost.body.front().get();
  for (const NodeRef &n : innermost.body)
    if (!isa<Loop>(n.get())) {
      beside = n.get();
      break;
    }
  return refuse("structure",
                "loops " + quoteLoops(nest, order) +
                    " are not perfectly nested: the body of '" +
                    nest.loopNames[innermost.id] + "' is not exactly one loop",
                beside && beside->range.isValid() ? beside->range
                                                  : innermost.range,
                "distribute '" + nest.loopNames[innermost.id] +
                    "' first, or name loops of one perfectly nested band");
}

/// The band up to the innermost of \p order.
static Expected<std::vector<const Loop *>> findBand(const Nest &nest,
                                                    ArrayRef<unsigned> order) {
  const Loop *head = outermost(nest, order);
  std::vector<const Loop *> band = perfectBand(*head);
  size_t found = 0, end = 0;
  for (size_t i = 0; i != band.size(); ++i)
    if (is_contained(order, band[i]->id)) {
      ++found;
      end = i + 1;
    }
  if (found != order.size())
    return notPerfect(nest, order, *band.back());
  band.resize(end);
  return band;
}

static Error checkBounds(const Nest &nest, ArrayRef<const Loop *> band) {
  std::set<Var> inside; // loops at or inside the one that is looked at
  for (const Loop *l : reverse(band)) {
    inside.insert(loopVar(l->id));
    for (const auto *bounds : {&l->lower, &l->upper})
      for (const Bound &b : *bounds)
        for (Var v : b.expr.vars())
          if (inside.count(v))
            return refuse("structure",
                          "the bounds of loop '" + nest.loopNames[l->id] +
                              "' use '" + nest.name(v) +
                              "', which would no longer be outside it",
                          l->range,
                          "keep '" + nest.name(v) + "' outside '" +
                              nest.loopNames[l->id] + "'");
  }
  return Error::success();
}

Expected<Nest> interchange(const Nest &nest, ArrayRef<unsigned> order) {
  if (Error e = checkNames(nest, order))
    return std::move(e);
  for (unsigned id : order)
    if (Expected<LoopPath> path = findLoop(nest, id); !path)
      return path.takeError();
  Expected<std::vector<const Loop *>> band = findBand(nest, order);
  if (!band)
    return band.takeError();

  std::vector<const Loop *> reordered;
  auto next = order.begin();
  for (const Loop *l : *band) {
    unsigned id = is_contained(order, l->id) ? *next++ : l->id;
    reordered.push_back(
        *find_if(*band, [&](const Loop *other) { return other->id == id; }));
  }
  if (Error e = checkBounds(nest, reordered))
    return std::move(e);

  Body body = band->back()->body;
  for (const Loop *l : reverse(reordered)) {
    auto copy = std::make_shared<Loop>(*l);
    copy->body = std::move(body);
    body = {std::move(copy)};
  }
  return replaceLoop(nest, band->front()->id, body);
}

} // namespace convopt
