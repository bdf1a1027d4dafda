//===- Mapping.cpp - No dependence between what runs in parallel ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every dependence (s, t), reductions included:
//
//   stream(s) = stream(t), where a loop spreads its launches over streams;
//   and where both run in one launch, for launches are in order:
//   grid(s) = grid(t);
//   block(s) = block(t), or a barrier runs after s and before t in the order
//   of the loops that are not parallel;
//   no vector loop carries it.
//
// Not asked of a loop over threads of a block, or over blocks, that adds up
// parts of the very sum that the dependence is about (Nest/SplitSum.h): each
// thread has a part of its own, and barriers stand where the block adds them
// up, or another kernel does.
//
// Where such a loop is atomic, threads add their parts to what the sums are
// stored to, after another kernel has stored the first values there. So there
// is no dependence through an array that sums are stored to.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "CurrentNest.h"
#include "Witness.h"
#include "convopt/Legality/Reassociation.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// The position of each loop of \p place whose kind \p is accepts.
static std::vector<unsigned> positions(const Place &place,
                                       function_ref<bool(LoopKind)> is) {
  std::vector<unsigned> found;
  for (unsigned i = 0; i < place.loops.size(); ++i)
    if (is(place.loops[i]->kind))
      found.push_back(i);
  return found;
}

/// \p current with -fassociative-math.
static CurrentNest licensed(const CurrentNest &current) {
  CurrentNest with = current;
  with.options.associativeMath = true;
  findSplitSums(with);
  return with;
}

/// Whether -fassociative-math alone is lacking for threads or blocks that share
/// sums.
static bool lacksLicense(const CurrentNest &current) {
  const CurrentNest with = licensed(current);
  if (with.splitSums == current.splitSums)
    return false;
  Error e = checkMapping(with);
  const bool isLegal = !e;
  consumeError(std::move(e));
  return isLegal;
}

static std::string remedyFor(const CurrentNest &current,
                             const DependentPairs &d) {
  const unsigned array = d.relation->sinkAccess->array;
  if (lacksLicense(current))
    return licenseRemedy(current.nest, array);
  std::vector<std::string> names;
  const std::vector<LoopFacts> all = loopFacts(current.original);
  for (const LoopFacts &facts : all)
    if (facts.parallel)
      names.push_back(current.nest.loopNames[facts.loop]);
  if (names.empty() && current.nest.function.isKernel)
    return "threads of the source read what others write, in no order: write "
           "to another array than '" +
           current.nest.arrays[array].name + "'";
  // Sums in memory that alone keep all loops serial.
  if (all_of(all, [](const LoopFacts &l) { return l.reduction; }) &&
      !current.nest.arrays[array].isLocal() && d.relation->reduction &&
      !current.options.associativeMath &&
      reordering(current.nest, d.sink->statement()) == Reordering::Licensed)
    return "no loop of this nest is parallel; " +
           licenseRemedy(current.nest, array);
  if (names.empty())
    return std::string("no loop of this nest is parallel") +
           (all.size() > 1 && !d.relation->reduction
                ? ": compute along one dimension at a time, in loops that "
                  "follow one another, or write to another array than is read"
                : "");
  return "map a parallel loop (" + join(names, ", ") + ") instead";
}

static Error refuseMapping(const CurrentNest &current, const DependentPairs &d,
                           const isl::map &violating, const Loop &loop) {
  Violation v(current, d, violating);
  return refuseDependence(current, v, "Mapping",
                          "loop '" + current.nest.loopNames[loop.id] +
                              "' cannot be mapped to " + str(loop.kind).str() +
                              ": " + v.orderText(),
                          remedyFor(current, d));
}

/// The pairs that run in one launch. Those of different launches of a stream
/// are in order; those of different streams must not be.
static Expected<DependentPairs> withinLaunch(const CurrentNest &current,
                                             const DependentPairs &d) {
  const Place &a = d.source->place(), &b = d.sink->place();
  DependentPairs one = d;
  unsigned common = commonLoops(a, b), level = 0;
  for (; level < common && isHost(a.loops[level]->kind); ++level) {
    if (one.equal[level])
      continue;
    if (a.loops[level]->kind == LoopKind::Stream)
      for (isl::map apart : {orderBefore(one.pairs, level, level),
                             orderAfter(one.pairs, level, level)})
        if (!apart.is_empty())
          return refuseMapping(current, d, apart, *a.loops[level]);
    one.pairs = equate(one.pairs, level, level);
    one.equal[level] = true;
  }
  for (const Place *place : {&a, &b})
    if (level < place->loops.size() && isHost(place->loops[level]->kind))
      one.pairs = isl::map::empty(one.pairs.space());
  return one;
}

/// Grid loops have no order and no barrier between them.
static Error checkGrid(const CurrentNest &current, const DependentPairs &d) {
  const Place &a = d.source->place(), &b = d.sink->place();
  unsigned common = commonLoops(a, b);
  for (const Place *place : {&a, &b})
    for (unsigned i : positions(*place, isGrid)) {
      const Loop &loop = *place->loops[i];
      if (current.isSplit(d.relation->sinkAccess->array, loop))
        continue;
      if (i >= common)
        return refuseMapping(current, d, d.pairs, loop);
      if (d.equal[i])
        continue;
      for (isl::map apart :
           {orderBefore(d.pairs, i, i), orderAfter(d.pairs, i, i)})
        if (!apart.is_empty())
          return refuseMapping(current, d, apart, loop);
    }
  return Error::success();
}

/// Those of \p pairs, which run in different threads, that no barrier orders.
static std::optional<isl::map>
unordered(const CurrentNest &current, const DependentPairs &d, isl::map pairs) {
  const Place &a = d.source->place(), &b = d.sink->place();
  Barriers barriers(current.tree, a, b);
  unsigned common = commonLoops(a, b);
  for (unsigned level = 0; level < common; ++level) {
    if (isParallel(a.loops[level]->kind) || d.equal[level])
      continue;
    isl::map after = orderAfter(pairs, level, level);
    if (!after.is_empty())
      return after;
    isl::map before = orderBefore(pairs, level, level);
    if (!barriers.separateIterations(level) && !before.is_empty())
      return before;
    pairs = equate(pairs, level, level);
  }
  if (pairs.is_empty() ||
      (precedes(a, b, common) && barriers.separateWithin(common)))
    return std::nullopt;
  return pairs;
}

/// The value that thread index \p kind has is that of its loop where the loop
/// starts at 0, so that different loops of one kind compare.
static bool startsAtZero(const Loop &loop) {
  return loop.lower.size() == 1 && loop.lower[0].expr.isZero();
}

/// The pairs that differ in thread index \p kind, as conjunctions.
static std::vector<isl::map> inDifferentThreads(const DependentPairs &d,
                                                LoopKind kind) {
  const Place &a = d.source->place(), &b = d.sink->place();
  auto ofKind = [&](LoopKind k) { return k == kind; };
  std::vector<unsigned> i = positions(a, ofKind), j = positions(b, ofKind);
  if (i.empty() && j.empty())
    return {};
  bool comparable =
      i.size() == 1 && j.size() == 1 &&
      (a.loops[i[0]] == b.loops[j[0]] ||
       (startsAtZero(*a.loops[i[0]]) && startsAtZero(*b.loops[j[0]])));
  if (!comparable)
    return {d.pairs};
  if (a.loops[i[0]] == b.loops[j[0]] && d.equal[i[0]])
    return {};
  return {orderBefore(d.pairs, i[0], j[0]), orderAfter(d.pairs, i[0], j[0])};
}

static const Loop &loopOfKind(const DependentPairs &d, LoopKind kind) {
  for (const Running *r : {d.sink, d.source})
    for (const Loop *loop : r->place().loops)
      if (loop->kind == kind)
        return *loop;
  llvm_unreachable("asked only where there is one");
}

void findSplitSums(CurrentNest &current) {
  for (const Loop *l : loops(current.nest)) {
    if (!isParallel(l->kind))
      continue;
    std::vector<unsigned> sums = splittableSums(current.nest, *l);
    for (const Statement *s : collect<Statement>(l->body))
      if (is_contained(sums, s->target.array) &&
          !isAllowed(reordering(current.nest, *s), current.options))
        erase(sums, s->target.array);
    current.splitSums[l->id] = std::move(sums);
  }
}

/// Whether a loop of \p kind splits the sum that \p d is about.
static bool isSplit(const CurrentNest &current, const DependentPairs &d,
                    LoopKind kind) {
  return any_of(ArrayRef{d.source, d.sink}, [&](const Running *r) {
    return any_of(r->place().loops, [&](const Loop *l) {
      return l->kind == kind &&
             current.isSplit(d.relation->sinkAccess->array, *l);
    });
  });
}

static Error checkBlock(const CurrentNest &current, const DependentPairs &d) {
  for (LoopKind kind : {LoopKind::BlockX, LoopKind::BlockY, LoopKind::BlockZ}) {
    if (isSplit(current, d, kind))
      continue;
    for (const isl::map &apart : inDifferentThreads(d, kind)) {
      if (apart.is_empty())
        continue;
      if (std::optional<isl::map> race = unordered(current, d, apart))
        return refuseMapping(current, d, *race, loopOfKind(d, kind));
    }
  }
  return Error::success();
}

static Error checkVector(const CurrentNest &current, const DependentPairs &d) {
  const Place &a = d.source->place();
  unsigned common = commonLoops(a, d.sink->place());
  isl::map pairs = d.pairs;
  for (unsigned level = 0; level < common; ++level) {
    if (d.equal[level])
      continue;
    isl::map carried = orderBefore(pairs, level, level);
    if (a.loops[level]->kind == LoopKind::Vector && !carried.is_empty())
      return refuseMapping(current, d, carried, *a.loops[level]);
    pairs = equate(pairs, level, level);
  }
  return Error::success();
}

/// The arrays in memory to which statements write that read one of \p sums.
static std::set<unsigned> storesOf(const CurrentNest &current,
                                   ArrayRef<unsigned> sums) {
  std::set<unsigned> arrays;
  for (const Running &r : current.running) {
    const Statement &s = r.statement();
    if (!current.nest.arrays[s.target.array].isLocal() &&
        any_of(readsOf(s), [&](const Operand &o) {
          return is_contained(sums, o.access.array);
        }))
      arrays.insert(s.target.array);
  }
  return arrays;
}

static Error checkAtomicSums(const CurrentNest &current, const Loop &loop) {
  if (!loop.isAtomic || !current.splitSums.at(loop.id).empty())
    return Error::success();
  const CurrentNest with = licensed(current);
  ArrayRef<unsigned> sums = with.splitSums.at(loop.id);
  return refuseIllegal(
      "Mapping",
      "atomic loop '" + current.nest.loopNames[loop.id] +
          "' adds to no sum of a thread whose terms may come in any order",
      loop.range,
      sums.empty() ? "" : licenseRemedy(current.nest, sums.front()));
}

static Error checkAtomicStores(const CurrentNest &current, const Loop &loop) {
  if (!loop.isAtomic)
    return Error::success();
  const std::set<unsigned> stored =
      storesOf(current, current.splitSums.at(loop.id));
  for (const DependentPairs &d : current.dependences) {
    const unsigned array = d.relation->sinkAccess->array;
    if (!stored.count(array))
      continue;
    Violation v(current, d, d.pairs);
    return refuseDependence(
        current, v, "Mapping",
        "loop '" + current.nest.loopNames[loop.id] +
            "' cannot be atomic: parts of sums are added to '" +
            current.nest.arrays[array].name + "', which " + v.source + " and " +
            v.sink + " both touch",
        "leave out ',atomic': parts are added up in their order then");
  }
  return Error::success();
}

static bool hasKind(const Tree &tree, function_ref<bool(LoopKind)> is) {
  return any_of(tree.occurrences, [&](const Occurrence &o) {
    return !positions(o.place, is).empty();
  });
}

/// Dependences of a place on itself first: they say most directly why a loop
/// cannot be mapped.
static std::vector<const DependentPairs *>
mostTellingFirst(ArrayRef<DependentPairs> dependences) {
  std::vector<const DependentPairs *> order;
  for (const DependentPairs &d : dependences)
    order.push_back(&d);
  std::stable_partition(
      order.begin(), order.end(),
      [](const DependentPairs *d) { return d->source == d->sink; });
  return order;
}

Error checkMapping(const CurrentNest &current) {
  for (const Loop *l : loops(current.nest))
    RETURN_IF_ERROR(checkAtomicSums(current, *l));
  bool grid = hasKind(current.tree, isGrid);
  bool block = hasKind(current.tree, isBlock);
  bool vector =
      hasKind(current.tree, [](LoopKind k) { return k == LoopKind::Vector; });
  bool host = hasKind(current.tree, isHost);
  for (const DependentPairs *d : mostTellingFirst(current.dependences)) {
    std::optional<DependentPairs> one;
    if (host) {
      ASSIGN_OR_RETURN(DependentPairs pairs, withinLaunch(current, *d));
      if (pairs.pairs.is_empty())
        continue;
      one = std::move(pairs);
      d = &*one;
    }
    RETURN_IF_ERROR(grid ? checkGrid(current, *d) : Error::success());
    RETURN_IF_ERROR(block ? checkBlock(current, *d) : Error::success());
    RETURN_IF_ERROR(vector ? checkVector(current, *d) : Error::success());
  }
  for (const Loop *l : loops(current.nest))
    RETURN_IF_ERROR(checkAtomicStores(current, *l));
  return Error::success();
}

} // namespace convopt
