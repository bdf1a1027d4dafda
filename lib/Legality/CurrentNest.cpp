//===- CurrentNest.cpp - A transformed nest as isl sees it ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CurrentNest.h"
#include "convopt/Support/Refusal.h"
#include <isl/map.h>
#include <isl/set.h>

using namespace llvm;

namespace convopt {

/// True where \p now is \p was with \p added leading subscripts, be it in a
/// buffer or not.
static bool sameAccess(const Access &was, const Access &now, unsigned added) {
  return was.array == now.array &&
         now.subscripts.size() == was.subscripts.size() + added &&
         std::equal(was.subscripts.begin(), was.subscripts.end(),
                    now.subscripts.begin() + added);
}

static bool sameOperand(const Operand &was, const Operand &now,
                        unsigned added) {
  return was.kind == now.kind && was.index == now.index &&
         was.guard == now.guard && was.otherwise == now.otherwise &&
         was.isPredicate == now.isPredicate &&
         (was.kind != Operand::Read ||
          sameAccess(was.access, now.access, added));
}

static bool sameStatement(const Nest &original, const Statement &was,
                          const Nest &current, const Statement &now) {
  auto added = [&](unsigned array) {
    return array < original.arrays.size()
               ? current.arrays[array].expandedDims -
                     original.arrays[array].expandedDims
               : 0;
  };
  if (was.op != now.op || was.fused != now.fused || was.text != now.text ||
      was.iterators != now.iterators ||
      was.operands.size() != now.operands.size() ||
      !sameAccess(was.target, now.target, added(was.target.array)))
    return false;
  for (size_t i = 0; i < was.operands.size(); ++i)
    if (!sameOperand(was.operands[i], now.operands[i],
                     added(was.operands[i].access.array)))
      return false;
  return true;
}

static Error refuseForeign(const Statement &s) {
  return refuseIllegal("Instances",
                       "S" + std::to_string(s.id) +
                           " is not a statement of the original nest",
                       s.range);
}

const Access &CurrentNest::now(const Running &r, const Access *access) const {
  const Statement &was = *originalOf(r).occurrence->statement;
  for (size_t i = 0; i < was.operands.size(); ++i)
    if (access == &was.operands[i].access)
      return r.statement().operands[i].access;
  return r.statement().target;
}

bool isOriginal(const CurrentNest &current, const Running &r) {
  return sameStatement(current.original.nest,
                       *current.originalOf(r).occurrence->statement,
                       current.nest, r.statement());
}

Expected<Running> runningAt(const CurrentNest &current,
                            const Occurrence &occurrence) {
  const auto &original = current.original;
  const Statement &s = *occurrence.statement;
  const std::optional<unsigned> index = original.find(s.id);
  if (!index)
    return refuseForeign(s);
  LoopSpace space(original.context.get(), original.params,
                  loopIds(occurrence.place.loops));
  std::optional<isl::multi_aff> instance = space.map(s.instance);
  if (!instance)
    return refuseIllegal("analysis",
                         "the instance of S" + std::to_string(s.id) +
                             " is not affine in the loops around it",
                         s.range);
  Domain domain = domainOf(space, occurrence.place);
  domain.set = domain.set.intersect_params(*original.assumptions);
  return Running{&occurrence, *index, space, std::move(domain), *instance};
}

Error joinWithOriginal(CurrentNest &current) {
  for (const Occurrence &occurrence : current.tree.occurrences) {
    ASSIGN_OR_RETURN(Running r, runningAt(current, occurrence));
    if (!isOriginal(current, r))
      return refuseForeign(r.statement());
    current.running.push_back(std::move(r));
  }
  return Error::success();
}

/// \p set without the constraints on loops that \p value does not use.
static isl::set aboutLoopsOf(isl::set set, const LoopSpace &space,
                             const IndexExpr &value) {
  for (unsigned i = 0; i < space.size(); ++i)
    if (!value.uses(loopVar(space.loops()[i])))
      set = isl::manage(isl_set_drop_constraints_involving_dims(
          set.release(), isl_dim_set, i, 1));
  return set;
}

isl::map equalLoops(const Running &a, const Running &b, unsigned i) {
  isl::map same = isl::manage(isl_map_from_aff(a.instance.at(i).release()));
  same = same.apply_range(
      isl::manage(isl_map_from_aff(b.instance.at(i).release())).reverse());
  same = same.intersect_domain(
                 aboutLoopsOf(a.domain.set, a.space, a.statement().instance[i]))
             .intersect_range(aboutLoopsOf(b.domain.set, b.space,
                                           b.statement().instance[i]));
  return isl::manage(
      isl_map_from_basic_map(isl_map_affine_hull(same.release())));
}

/// Results of equalLoops: several dependences relate the same two places.
using EqualLoops =
    std::map<std::tuple<const Running *, const Running *, unsigned>, isl::map>;

static DependentPairs locate(const Relation &relation, const Running &source,
                             const Running &sink, EqualLoops &known) {
  isl::map pairs = relation.map.preimage_domain(source.instance)
                       .preimage_range(sink.instance);
  isl::map hull = isl::map::universe(pairs.space());
  for (unsigned i = 0; i < relation.equal.size(); ++i)
    if (relation.equal[i]) {
      isl::map &same = known[{&source, &sink, i}];
      if (same.is_null())
        same = equalLoops(source, sink, i);
      hull = hull.intersect(same);
    }
  std::vector<bool> equal;
  for (unsigned i = 0; i < commonLoops(source.place(), sink.place()); ++i)
    equal.push_back(hull.is_subset(equate(hull, i, i)));
  pairs = pairs.intersect(hull)
              .intersect_domain(source.domain.set)
              .intersect_range(sink.domain.set);
  return {&relation, &source, &sink, pairs, std::move(equal)};
}

void locateDependences(CurrentNest &current) {
  EqualLoops known;
  for (const Relation &relation : current.original.relations) {
    if (relation.repeats)
      continue;
    for (const Running &source : current.running)
      for (const Running &sink : current.running) {
        if (source.original != relation.source ||
            sink.original != relation.sink)
          continue;
        DependentPairs located = locate(relation, source, sink, known);
        if (!located.pairs.is_empty())
          current.dependences.push_back(std::move(located));
      }
  }
}

} // namespace convopt
