//===- ArrayBounds.cpp - How far accesses reach into an array -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayShapes.h"
#include "convopt/Nest/Intervals.h"

using namespace llvm;

namespace convopt {

/// The loops that all \p uses are in: there, none of them is empty.
static ProofDomain commonDomain(ArrayRef<ArrayUse> uses) {
  ProofDomain d;
  d.loops = uses[0].domain.loops;
  for (const ArrayUse &u : uses) {
    size_t k = 0;
    while (k < d.loops.size() && k < u.domain.loops.size() &&
           d.loops[k] == u.domain.loops[k])
      ++k;
    d.loops.resize(k);
  }
  return d;
}

/// Where \p u runs, with those guards alone that use no loop but its own.
static ProofDomain ownDomain(const ArrayUse &u) {
  ProofDomain own = u.domain;
  erase_if(own.guards, [&](const Constraint &c) {
    return any_of(c.expr.vars(), [&](Var v) {
      return v.kind == Var::Loop &&
             none_of(u.access->subscripts,
                     [&](const IndexExpr &e) { return e.uses(v); });
    });
  });
  return own;
}

/// Whether \p e, expanded, is a sum of sizes and products of them.
static bool addsSizes(const IndexExpr &e) {
  return !e.isZero() && all_of(e.terms(), [](const auto &t) {
    return t.second > 0 &&
           all_of(t.first, [](const Atom &a) { return a.isVar(); });
  });
}

/// Whether \p e, expanded, is not negative where each size is one or more.
static bool holdsFromOne(const IndexExpr &e) {
  int64_t atOnes = e.constantTerm();
  for (const auto &[m, c] : e.terms())
    if (!m.empty())
      atOnes += c;
  return addsSizes(e - e.constantTerm()) && atOnes >= 0;
}

namespace {
class BoundFinder {
public:
  BoundFinder(ArrayRef<ArrayUse> uses, const Nest &nest, const Prover &prover)
      : uses(uses), nest(nest), prover(prover), common(commonDomain(uses)),
        isRead(none_of(uses, [](const ArrayUse &u) { return u.isWrite; })) {}

  SubscriptBound run(ArrayRef<IndexExpr> subscripts,
                     const ArrayUse *&unbounded);

private:
  using Bounds = std::vector<IndexExpr>; // the least of which counts
  /// Bounds of accesses, and what holds where these run.
  using Reach = std::pair<Bounds, Needs>;

  std::optional<Bounds> boundsOf(const IndexExpr &e, const ArrayUse &use);
  std::optional<IndexExpr> atEnds(const IndexExpr &e, const IndexExpr &of,
                                  const ProofDomain &d) const;
  IndexExpr stepOf(const IndexExpr &e, const ProofDomain &d) const;
  void assumeRuns(const Needs &facts);
  void reachEnd(const ArrayUse &use);
  Bounds withoutSums(const Bounds &values);
  Needs whereRuns(const ArrayUse &use) const;
  bool isBelow(const Reach &reach, const IndexExpr &c) const;
  bool isLikely(const IndexExpr &fact) const;
  Bounds boundsOfAll(ArrayRef<Reach> each);
  void ignoreUnder(const IndexExpr &fact) {
    merge(result.spans, {nest.expandDefinitions(fact)});
  }

  ArrayRef<ArrayUse> uses;
  const Nest &nest;
  const Prover &prover;
  ProofDomain common;
  bool isRead;    // only
  Bounds greater; // that some access has a lesser one than
  SubscriptBound result;
};
} // namespace

/// Of two bounds that differ by a sum of sizes, the greater one goes.
BoundFinder::Bounds BoundFinder::withoutSums(const Bounds &values) {
  Bounds kept;
  for (const IndexExpr &e : values) {
    auto less = find_if(values, [&](const IndexExpr &other) {
      const IndexExpr more = nest.expandDefinitions(e - other);
      return addsSizes(more) && none_of(more.vars(), [&](Var v) {
               return prover.roleOf(v) == SizeSamples::Role::Shift;
             });
    });
    if (less == values.end())
      kept.push_back(e);
    else
      ignoreUnder(e - *less);
  }
  return kept;
}

/// \p e with the loops of \p of at the ends at which that is greatest; none
/// where these are not one each.
std::optional<IndexExpr> BoundFinder::atEnds(const IndexExpr &e,
                                             const IndexExpr &of,
                                             const ProofDomain &d) const {
  std::vector<const Loop *> moved;
  copy_if(d.loops, std::back_inserter(moved),
          [&](const Loop *l) { return of.uses(loopVar(l->id)); });
  const std::vector<IndexExpr> at = leastAtEnds(
      e, moved,
      [&](const IndexExpr &, Var v) -> std::optional<int> {
        if (std::optional<IndexExpr> times = of.symbolicCoefficient(v))
          return -prover.signOf(*times, d);
        return std::nullopt;
      },
      onlyEnd);
  return at.empty() ? std::nullopt : std::optional(at[0]);
}

/// How far apart the values are that the loops of \p e give it, where no loop
/// moves it by one.
IndexExpr BoundFinder::stepOf(const IndexExpr &e, const ProofDomain &d) const {
  std::optional<IndexExpr> step;
  for (Var v : e.vars()) {
    if (v.kind != Var::Loop)
      continue;
    const IndexExpr times = e.symbolicCoefficient(v).value_or(1);
    if (step || times == IndexExpr(1) || times == IndexExpr(-1))
      return 1;
    step = prover.signOf(times, d) > 0 ? times : -times;
  }
  return step.value_or(1);
}

/// Of the guards that join loops that \p use subscripts by with others: what
/// lets some iteration of the others pass where the subscripts are greatest.
/// Each guard has to at one of their ends, and two that leave a range have to
/// leave one as long as a step.
void BoundFinder::reachEnd(const ArrayUse &use) {
  const ProofDomain own = ownDomain(use);
  ProofDomain open = use.domain;
  open.guards.clear();
  Needs facts;
  std::vector<IndexExpr> joining;
  for (const Constraint &g : use.domain.guards) {
    if (g.kind != Constraint::NonNegative || is_contained(own.guards, g))
      continue;
    std::optional<IndexExpr> end = g.expr;
    for (const IndexExpr &e : use.access->subscripts)
      end = end ? atEnds(*end, e, open) : end;
    if (!end || *end == g.expr)
      continue;
    if (auto most = prover.maximum(*end, open))
      for (const IndexExpr &e : most->values)
        merge(facts, {prover.withoutRounding(e)});
    for (const IndexExpr &other : joining) {
      auto passes = [&](const IndexExpr &a, const IndexExpr &b) {
        std::optional<IndexExpr> least = atEnds(a, b, open);
        return least && prover.isAtMost(0, *least, use.domain);
      };
      const IndexExpr room = *end + other;
      if (!room.usesLoops() && !passes(*end, other) && !passes(other, *end))
        for (const IndexExpr &step : {stepOf(*end, open), stepOf(other, open)})
          merge(facts, {room + 1 - step});
    }
    joining.push_back(*end);
  }
  for (const IndexExpr &fact : facts)
    if (!prover.isAtMost(0, fact, use.domain) &&
        prover.reach(fact, use.domain) == Prover::Reach::Open)
      ignoreUnder(fact);
}

/// Assumes what reads need to touch anything, of sizes that are positive. What
/// leaves out many sizes, as that a row is one at a border, is not asked for:
/// then fewer elements may be touched.
void BoundFinder::assumeRuns(const Needs &facts) {
  for (const IndexExpr &fact : facts) {
    const bool isImplied = any_of(facts, [&](const IndexExpr &other) {
      return (fact - other).asConstant().value_or(0) > 0;
    });
    if (!isImplied && !addsSizes(nest.expandDefinitions(fact + 1)) &&
        prover.reach(fact, {}) == Prover::Reach::Open &&
        prover.shareOf({fact}) >= SizeSamples::Many)
      ignoreUnder(fact);
  }
}

/// The bounds of one access.
std::optional<BoundFinder::Bounds> BoundFinder::boundsOf(const IndexExpr &e,
                                                         const ArrayUse &use) {
  const ProofDomain &d = use.domain;
  std::optional<Prover::Maximum> all = prover.maximum(e, d);
  if (!all)
    return std::nullopt;
  std::optional<Prover::Maximum> own =
      isRead ? prover.maximum(e, ownDomain(use)) : std::nullopt;
  if (own) {
    reachEnd(use);
    IndexExpr chosen = shortest(nest, own->values);
    for (const IndexExpr &other : all->values) {
      if (any_of(own->values, [&](const IndexExpr &v) {
            return prover.isAtMost(v, other, d);
          }))
        continue;
      if (prover.reach(other - chosen, d) == Prover::Reach::Open)
        ignoreUnder(other - chosen);
      else
        own->values.push_back(other);
    }
    all = std::move(own);
  }
  merge(result.needs, all->needs);
  merge(greater, all->greater);
  return withoutSums(all->values);
}

SubscriptBound BoundFinder::run(ArrayRef<IndexExpr> subscripts,
                                const ArrayUse *&unbounded) {
  std::vector<Reach> each;
  std::map<Bounds, Needs> runs; // of the access that needs fewest facts
  unbounded = nullptr;
  for (auto [u, e] : zip(uses, subscripts)) {
    auto bounds = boundsOf(e, u);
    if (!bounds) {
      unbounded = &u;
      return result;
    }
    if (!is_contained(result.maxima, bounds->front()))
      result.maxima.push_back(bounds->front());
    const Needs facts = prover.runs(u.domain);
    auto [known, isNew] = runs.try_emplace(*bounds, facts);
    if (!isNew && facts.size() < known->second.size())
      known->second = facts;
    Reach reach(std::move(*bounds), whereRuns(u));
    if (!is_contained(each, reach))
      each.push_back(std::move(reach));
  }
  result.values = boundsOfAll(each);
  if (isRead)
    assumeRuns(runs[result.values]);
  return result;
}

/// Whether \p fact holds for no end of sizes, equal ones among them, and for
/// such as convolutions have. Facts about remainders hold for a part of all,
/// those about quotients, as that half of a size is within it, for nearly all.
bool BoundFinder::isLikely(const IndexExpr &fact) const {
  auto equal = [](Var) -> int64_t { return 8; };
  if (fact.evaluate(equal).value_or(-1) < 0 ||
      prover.reach(fact, common) != Prover::Reach::Open)
    return false;
  const SizeSamples::Share share = prover.shareOf({fact});
  if (fact.hasQuotient())
    return share >= (isRead ? SizeSamples::Many : SizeSamples::NearlyAll);
  return share != SizeSamples::HardlyAny;
}

/// What guards of \p use say of sizes, as some iteration passes each: of the
/// rows past an image's end, that there are any.
Needs BoundFinder::whereRuns(const ArrayUse &use) const {
  ProofDomain open = use.domain;
  open.guards.clear();
  Needs facts;
  for (const Constraint &g : use.domain.guards)
    if (auto most = prover.maximum(g.expr, open); most && most->needs.empty())
      merge(facts, most->values);
  return facts;
}

/// Whether some bound of \p reach is at most \p c, where there is an access.
bool BoundFinder::isBelow(const Reach &reach, const IndexExpr &c) const {
  ProofDomain there = common;
  for (const IndexExpr &fact : reach.second)
    there.guards.push_back({Constraint::NonNegative, fact});
  return any_of(reach.first, [&](const IndexExpr &b) {
    return b == c || prover.isAtMost(b, c, there);
  });
}

/// The bounds of one access where they are known to bound the others, or would
/// under facts about the sizes; else those of any that do.
BoundFinder::Bounds BoundFinder::boundsOfAll(ArrayRef<Reach> each) {
  Bounds sure = greater;
  for (const Reach &reach : each)
    append_range(sure, reach.first);
  erase_if(sure, [&](const IndexExpr &c) {
    return any_of(each, [&](const Reach &r) { return !isBelow(r, c); });
  });
  std::optional<Needs> fewest;
  const Bounds *chosen = nullptr;
  for (const auto &[all, runs] : each) {
    Needs facts;
    bool canHold = true;
    for (const Reach &other : each)
      for (const IndexExpr &c : all)
        if (!isBelow(other, c)) {
          merge(facts,
                {nest.expandDefinitions(c - shortest(nest, other.first))});
          canHold &= isLikely(facts.back());
        }
    // What leaves out many sizes is not worth a bound that is reached.
    canHold &= sure.empty() || prover.shareOf(facts) >= SizeSamples::Many;
    if (canHold && (!fewest || facts.size() < fewest->size())) {
      fewest = std::move(facts);
      chosen = &all;
    }
  }
  // What its guard says may do for all, and asks for nothing.
  const bool isSure = chosen && is_contained(sure, chosen->front());
  if (!chosen || (isSure && !fewest->empty()))
    return prover.leastOf(sure, common);
  merge(result.agreements, *fewest);
  return *chosen;
}

SubscriptBound boundOf(ArrayRef<IndexExpr> subscripts, ArrayRef<ArrayUse> uses,
                       const Nest &nest, const Prover &prover,
                       const ArrayUse *&unbounded) {
  return BoundFinder(uses, nest, prover).run(subscripts, unbounded);
}

IndexExpr shortest(const Nest &nest, ArrayRef<IndexExpr> bounds) {
  auto terms = [&](const IndexExpr &e) {
    return nest.expandDefinitions(e + 1).terms().size();
  };
  return *min_element(bounds, [&](const IndexExpr &a, const IndexExpr &b) {
    return terms(a) < terms(b);
  });
}

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

/// \p e as it is, or with the sizes in it expanded where that has fewer terms
/// and no quotient, which a kernel would compute for each element.
static IndexExpr shorter(const Nest &nest, const IndexExpr &e) {
  IndexExpr expanded = nest.expandDefinitions(e);
  bool isShorter = expanded.terms().size() < e.terms().size();
  return isShorter && !expanded.hasQuotient() ? expanded : e;
}

/// One more than the largest offset, by the bounds of each subscript and by
/// those of the offset as a whole.
void setFootprint(Nest &nest, unsigned id, ArrayRef<ArrayUse> uses,
                  ArrayRef<std::vector<IndexExpr>> subscripts,
                  function_ref<void(const SubscriptBound &, size_t)> assume) {
  std::vector<IndexExpr> extents = nest.arrays[id].extents;
  Prover prover(nest);
  for (const IndexExpr &e : drop_begin(extents))
    prover.know(nest.expandDefinitions(e) - 1);
  const ProofDomain common = commonDomain(uses);
  const ArrayUse *unbounded;
  std::vector<IndexExpr> ends{0}, offsets(uses.size());
  for (size_t d = 0; d != extents.size(); ++d) {
    std::vector<IndexExpr> column;
    for (size_t k = 0; k != uses.size(); ++k) {
      column.push_back(subscripts[k][d]);
      offsets[k] = offsets[k] * extents[d] + subscripts[k][d];
    }
    SubscriptBound bound = boundOf(column, uses, nest, prover, unbounded);
    std::vector<IndexExpr> last = bound.values, longer;
    if (!unbounded)
      assume(bound, extents.size() - 1 - d);
    last.push_back(extents[d] - 1);
    last = prover.leastOf(last, common);
    for (const IndexExpr &e : ends)
      for (const IndexExpr &l : last)
        longer.push_back(e * extents[d] + l);
    ends = std::move(longer);
  }
  // A guard may be on the offset as a whole, and ask nothing more of sizes.
  SubscriptBound whole = boundOf(offsets, uses, nest, prover, unbounded);
  if (!unbounded && whole.needs.empty() &&
      all_of(whole.agreements, holdsFromOne))
    append_range(ends, whole.values);
  for (IndexExpr &e : ends)
    e = shorter(nest, e + 1);
  nest.arrays[id].footprint = prover.leastOf(ends, common);
  simplifyFootprint(nest, nest.arrays[id]);
}

} // namespace convopt
