//===- Order.cpp - Every source still runs before its sink ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every dependence (s, t): time(s) < time(t) in the lexicographic order of
// the current tree's time vectors. The comparison goes loop by loop from the
// outside, which keeps each question a conjunction.
//
//===----------------------------------------------------------------------===//

#include "CurrentNest.h"
#include "Witness.h"
#include "convopt/Legality/Reassociation.h"

using namespace llvm;

namespace convopt {

namespace {

/// Pairs that run in the wrong order, and the current loop that reverses them
/// (none: they are in one iteration of all common loops).
struct Reversed {
  isl::map pairs;
  const Loop *loop;
};

} // namespace

static std::optional<Reversed> findReversed(const DependentPairs &d) {
  const Place &a = d.source->place(), &b = d.sink->place();
  unsigned common = commonLoops(a, b);
  isl::map pairs = d.pairs;
  for (unsigned level = 0; level < common; ++level) {
    if (d.equal[level])
      continue;
    isl::map after = orderAfter(pairs, level, level);
    if (!after.is_empty())
      return Reversed{after, a.loops[level]};
    pairs = equate(pairs, level, level);
    if (pairs.is_empty())
      return std::nullopt;
  }
  if (precedes(a, b, common))
    return std::nullopt;
  return Reversed{pairs, nullptr};
}

/// Of two operations on one cell, by different statements perhaps.
static Reordering reordering(const Nest &nest, const DependentPairs &d) {
  return std::max(reordering(nest, d.source->statement()),
                  reordering(nest, d.sink->statement()));
}

static bool mayReorder(const CurrentNest &current, const DependentPairs &d) {
  return d.relation->reduction &&
         isAllowed(reordering(current.nest, d), current.options);
}

static std::string remedyFor(const CurrentNest &current, const Violation &v,
                             const Loop *reversing) {
  const Relation &relation = *v.dependence.relation;
  const Nest &nest = current.nest;
  if (relation.reduction &&
      reordering(nest, v.dependence) == Reordering::Licensed)
    return licenseRemedy(nest, relation.sinkAccess->array);
  std::string source =
      "S" + std::to_string(v.dependence.source->statement().id);
  std::string sink = "S" + std::to_string(v.dependence.sink->statement().id);
  std::optional<unsigned> carrier = v.carrier(current);
  if (!carrier)
    return "keep " + source + " before " + sink;
  std::string name = "'" + nest.loopNames[*carrier] + "'";
  if (!reversing)
    return "keep " + source + " and " + sink + " together in loop " + name;
  if (reversing->id == *carrier)
    return "keep loop " + name + " as it was: it carries the dependence";
  return "keep loop " + name + " outside of loop '" +
         nest.loopNames[reversing->id] + "'";
}

Error checkOrder(const CurrentNest &current) {
  for (const DependentPairs &d : current.dependences) {
    if (mayReorder(current, d))
      continue;
    std::optional<Reversed> reversed = findReversed(d);
    if (!reversed)
      continue;
    Violation v(current, d, reversed->pairs);
    return refuseDependence(current, v, "Order", v.orderText(),
                            remedyFor(current, v, reversed->loop));
  }
  return Error::success();
}

} // namespace convopt
