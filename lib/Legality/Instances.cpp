//===- Instances.cpp - Every instance runs exactly once -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With D the original domain of a statement, D_k the current domain of its
// k-th occurrence and f_k its instance:
//
//   f_k is injective on D_k,  f_k(D_k) and f_m(D_m) are disjoint,
//   f_k(D_k) is within D,     and their union is D.
//
//===----------------------------------------------------------------------===//

#include "CurrentNest.h"
#include "Witness.h"
#include "convopt/Support/Refusal.h"
#include <isl/map.h>

using namespace llvm;

namespace convopt {

isl::map instances(const Running &r) {
  isl::map map = isl::manage(isl_map_from_multi_aff(r.instance.copy()));
  return map.intersect_domain(r.domain.set);
}

static Error refuseTwice(const CurrentNest &current, const Running &r,
                         const isl::map &violating) {
  Witness w = sample(current, violating);
  return refuseIllegal("Instances",
                       instanceText(current, r, w, 0) + " runs twice",
                       r.statement().range);
}

/// Different iterations among \p same, the first of the pair before the
/// second.
static std::optional<isl::map> findDifferent(const Running &r, isl::map same) {
  for (unsigned level = 0; level < r.space.size(); ++level) {
    isl::map different = orderBefore(same, level, level);
    if (!different.is_empty())
      return different;
    same = equate(same, level, level);
  }
  return std::nullopt;
}

static Error checkInjective(const CurrentNest &current, const Running &r) {
  isl::map f = instances(r);
  isl::map same = r.domain.set.identity();
  same = isl::map::universe(same.space());
  for (unsigned i = 0; i < r.statement().iterators.size(); ++i)
    same = same.intersect(equalLoops(r, r, i));
  if (!findDifferent(r, same))
    return Error::success();
  if (std::optional<isl::map> twice =
          findDifferent(r, f.apply_range(f.reverse())))
    return refuseTwice(current, r, *twice);
  return Error::success();
}

static Error checkDisjoint(const CurrentNest &current, const Running &a,
                           const Running &b) {
  isl::map same = instances(a).apply_range(instances(b).reverse());
  if (!same.is_empty())
    return refuseTwice(current, a, same);
  return Error::success();
}

static Error checkWithin(const CurrentNest &current, const Running &r) {
  isl::set allowed = current.originalOf(r).domain.set.preimage(r.instance);
  if (r.domain.set.is_subset(allowed))
    return Error::success();
  Witness w = sample(current, r.domain.set.subtract(allowed));
  return refuseIllegal("Instances",
                       instanceText(current, r, w, 0) +
                           " runs, and did not in the original nest",
                       r.statement().range);
}

/// The constraints that isl cannot hold, as a sorted list without repeats.
static std::vector<IndexExpr> normalised(const Nest &nest,
                                         ArrayRef<Constraint> constraints) {
  std::vector<IndexExpr> list;
  for (const Constraint &c : constraints) {
    IndexExpr e = nest.expandDefinitions(c.expr);
    list.push_back(e);
    if (c.kind == Constraint::Zero)
      list.push_back(-e);
  }
  llvm::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// A constraint that isl cannot hold is left out of both domains, so it must
/// be the same one on both sides: that of the original at the instance.
static Error checkInexact(const CurrentNest &current, const Running &r) {
  const Statement &s = r.statement();
  std::vector<Constraint> expected = current.originalOf(r).domain.inexact;
  for (Constraint &c : expected)
    c.expr = overCurrentLoops(s, c.expr);
  if (normalised(current.nest, expected) ==
      normalised(current.nest, r.domain.inexact))
    return Error::success();
  return refuseIllegal(
      "analysis",
      "a bound or guard of S" + std::to_string(s.id) +
          " multiplies a loop by a size, or divides it by one, and this step "
          "changes it",
      s.range, "transform the loops whose bounds are sums alone");
}

static Error checkCovered(const CurrentNest &current, unsigned index) {
  const OriginalStatement &original = current.original.statements[index];
  const Statement &s = *original.occurrence->statement;
  isl::set missing = original.domain.set;
  std::optional<isl::set> covered;
  for (const Running &r : current.running)
    if (r.original == index) {
      isl::set image = instances(r).range();
      covered = covered ? covered->unite(image) : image;
    }
  if (covered && missing.is_subset(*covered))
    return Error::success();
  if (covered)
    missing = missing.subtract(*covered);
  if (missing.is_empty())
    return Error::success();
  Witness w = sample(current, missing);
  return refuseIllegal("Instances",
                       iterationText(current.nest, s, w.loops) +
                           " does not run any more",
                       s.range);
}

Error checkInstances(const CurrentNest &current, ArrayRef<unsigned> repeated) {
  for (const Running &r : current.running) {
    const bool isOnce = !is_contained(repeated, r.original);
    RETURN_IF_ERROR(checkInexact(current, r));
    RETURN_IF_ERROR(isOnce ? checkInjective(current, r) : Error::success());
    RETURN_IF_ERROR(checkWithin(current, r));
    for (const Running &o : current.running)
      if (isOnce && &o < &r && o.original == r.original)
        RETURN_IF_ERROR(checkDisjoint(current, o, r));
  }
  for (size_t i = 0; i < current.original.statements.size(); ++i)
    RETURN_IF_ERROR(checkCovered(current, i));
  return Error::success();
}

} // namespace convopt
