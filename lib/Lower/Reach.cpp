//===- Reach.cpp - Where the accesses to an array begin and end -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reach.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Recompute.h"
#include "convopt/Nest/Terms.h"
#include "convopt/Nest/Touched.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

/// Iterations that are tried here and not by host code.
static constexpr int64_t MostTried = 64;

static bool isDependent(const IndexExpr &e, const Loop &l) {
  return e.uses(loopVar(l.id));
}

/// Whether \p e, a subscript, is known not to decrease with \p l.
static bool isIncreasing(const Nest &nest, const IndexExpr &e, const Loop &l) {
  return all_of(e.terms(), [&](const auto &term) {
    IndexExpr times(term.second);
    bool increases = true;
    for (const Atom &a : term.first) {
      if (a.isVar() && a.asVar() != loopVar(l.id))
        times = times * IndexExpr::of(a.asVar());
      else if (!a.isVar() && !isDependent(a.num(), l) &&
               !isDependent(a.den(), l))
        times = times * IndexExpr::floorDiv(a.num(), a.den());
      else
        increases &= a.isVar() || (!isDependent(a.den(), l) &&
                                   isIncreasing(nest, a.num(), l));
    }
    const bool isIn = any_of(term.first, [&](const Atom &a) {
      return a.isVar() ? a.asVar() == loopVar(l.id)
                       : isDependent(a.num(), l) || isDependent(a.den(), l);
    });
    return !isIn || (increases && signOf(nest, times) == 1);
  });
}

/// The loop of \p g in whose direction all \p subscripts grow, and that no
/// other one's bounds need, at the end; false where there is none.
static bool endWithInnermost(const Nest &nest, ArrayRef<IndexExpr> subscripts,
                             Group &g) {
  auto innermost = find_if(g.loops, [&](const Loop *l) {
    return all_of(
               subscripts,
               [&](const IndexExpr &e) { return isIncreasing(nest, e, *l); }) &&
           none_of(g.loops, [&](const Loop *other) {
             return any_of(other->bounds(), [&](const Bound &b) {
               return isDependent(b.expr, *l);
             });
           });
  });
  if (innermost == g.loops.end())
    return false;
  std::rotate(innermost, innermost + 1, g.loops.end());
  return true;
}

/// The groups of \p loops that \p terms and \p guards join.
static std::vector<Group> groupsOf(ArrayRef<const Loop *> loops,
                                   ArrayRef<IndexExpr> terms,
                                   ArrayRef<Constraint> guards) {
  EquivalenceClasses<const Loop *> joined;
  auto join = [&](const IndexExpr &e, const Loop *first) {
    for (const Loop *l : loops)
      if (isDependent(e, *l)) {
        if (first)
          joined.unionSets(first, l);
        first = l;
      }
  };
  for (const Loop *l : loops) {
    joined.insert(l);
    for (const Bound &b : l->bounds())
      join(b.expr, l);
  }
  for (const IndexExpr &e : terms)
    join(e, nullptr);
  for (const Constraint &c : guards)
    join(c.expr, nullptr);
  std::vector<Group> all;
  for (const Loop *leader : loops) {
    if (joined.getLeaderValue(leader) != leader)
      continue;
    Group &g = all.emplace_back();
    auto isIn = [&](const IndexExpr &e) {
      return any_of(g.loops, [&](const Loop *l) { return isDependent(e, *l); });
    };
    copy_if(loops, std::back_inserter(g.loops),
            [&](const Loop *l) { return joined.isEquivalent(l, leader); });
    for (const IndexExpr &e : terms)
      if (isIn(e))
        g.part += e;
    copy_if(guards, std::back_inserter(g.guards),
            [&](const Constraint &c) { return isIn(c.expr); });
  }
  return all;
}

/// The iteration of \p g, one loop, at \p end of those that its guards let
/// pass, where all of that is constants; one beyond the others where there is
/// none.
static std::optional<int64_t> constantAt(End end, const Group &g) {
  const Loop &l = *g.loops[0];
  auto isOwn = [&](const Constraint &c) {
    return all_of(c.expr.vars(), [&](Var v) { return v == loopVar(l.id); });
  };
  const std::optional<int64_t> lower = l.lower[0].expr.asConstant(),
                               upper = l.upper[0].expr.asConstant();
  if (!lower || !upper || *upper - *lower > MostTried ||
      !all_of(g.guards, isOwn))
    return std::nullopt;
  auto passes = [&](int64_t i) {
    return all_of(g.guards, [&](const Constraint &c) {
      const std::optional<int64_t> value =
          c.expr.evaluate([&](Var) { return i; });
      return c.kind == Constraint::Zero ? value == 0 : value.value_or(0) >= 0;
    });
  };
  const int step = end == End::First ? 1 : -1;
  int64_t i = end == End::First ? *lower : *upper - 1;
  while (i >= *lower && i < *upper && !passes(i))
    i += step;
  return i;
}

/// Takes \p g, one loop, at \p end of the iterations that its guards let pass;
/// false where that is no expression.
static bool takeAt(End end, const Group &g, Reach &r) {
  const Loop &l = *g.loops[0];
  const std::optional<IndexExpr> first = onlyEnd(l, /*isLast=*/false),
                                 last = onlyEnd(l, /*isLast=*/true);
  if (g.loops.size() != 1 || !first || !last)
    return false;
  const std::optional<int64_t> constant = constantAt(end, g);
  if (!constant && !g.guards.empty())
    return false;
  const IndexExpr taken = constant            ? IndexExpr(*constant)
                          : end == End::First ? *first
                                              : *last;
  r.rest += g.part.substitute(loopVar(l.id), taken);
  const Constraint runs{Constraint::NonNegative,
                        end == End::First ? *last - taken : taken - *first};
  if (runs.expr.asConstant().value_or(-1) < 0)
    r.where.push_back(runs);
  return true;
}

/// Whether \p r holds for no sizes.
static bool isNowhere(const Reach &r) {
  return any_of(r.where, [](const Constraint &c) {
    const std::optional<int64_t> value = c.expr.asConstant();
    return value && (*value < 0 || (c.kind == Constraint::Zero && *value != 0));
  });
}

/// Where \p end of \p a is.
static Reach reachOf(const Nest &nest, End end, const StatementPath &p,
                     const Access &a, ArrayRef<Constraint> own) {
  const Statement &s = *p.statement;
  Reach r;
  std::vector<const Loop *> loops = loopsAmong(p.enclosing);
  std::vector<Constraint> guards = predicatesOf(s);
  for (const Guard *g : select<Guard>(p.enclosing))
    append_range(guards, g->conditions);
  for (const Constraint &c : own)
    guards.push_back({c.kind, overCurrentLoops(s, c.expr)});
  copy_if(guards, std::back_inserter(r.where),
          [](const Constraint &c) { return !c.expr.usesLoops(); });

  std::vector<IndexExpr> subscripts, terms;
  for (const auto &[e, extent] :
       zip_equal(a.subscripts, nest.arrays[a.array].extents)) {
    subscripts.push_back(overCurrentLoops(s, e));
    for (IndexExpr &known : terms)
      known = known * extent;
    r.rest = r.rest * extent;
    for (const auto &[monomial, coefficient] : subscripts.back().terms()) {
      const IndexExpr one = term(monomial, coefficient);
      if (one.usesLoops())
        terms.push_back(one);
      else
        r.rest += one;
    }
  }
  // Where something is touched each loop has an iteration.
  std::vector<Assumption> runs;
  for (const Loop *l : loops)
    for (const Bound &b : l->upper)
      if (l->lower.size() == 1 && l->lower[0].expr.isZero() &&
          !b.expr.usesLoops())
        runs.push_back({{Constraint::NonNegative, hasOne(l->lower[0], b)}, ""});
  const Nest inside = withAssumptions(nest, runs);
  for (Group &g : groupsOf(loops, terms, guards)) {
    g.isSearched = endWithInnermost(inside, subscripts, g);
    if (!g.isSearched || !takeAt(end, g, r))
      r.groups.push_back(std::move(g));
  }
  return r;
}

/// Adds \p r to \p all, together with one that ends there, too.
static void add(Reach r, std::vector<Reach> &all) {
  if (isNowhere(r))
    return;
  const auto same = find_if(all, [&](const Reach &other) {
    return r.groups.empty() && other.groups.empty() && r.rest == other.rest;
  });
  if (same == all.end())
    all.push_back(std::move(r));
  else if (same->where != r.where && !is_contained(same->others, r.where))
    same->others.push_back(std::move(r.where));
}

/// The accesses to \p array that run, each once.
std::vector<Reach> reachesOf(const Nest &nest, End end, unsigned array) {
  std::vector<Reach> all;
  auto touch = [&](const Access &a, const StatementPath &p,
                   ArrayRef<Constraint> own) {
    if (a.array == array)
      add(reachOf(nest, end, p, a, own), all);
  };
  for (const StatementPath &p : statementsByCase(nest)) {
    touch(p.statement->target, p, {});
    for (const Operand &o : readsOf(*p.statement))
      touch(o.access, p, o.guard);
  }
  return all;
}

bool isReached(const Nest &nest, End end, unsigned array, ArrayRef<Reach> all) {
  const Array &a = nest.arrays[array];
  std::vector<IndexExpr> ends = a.footprint;
  if (end == End::First)
    ends = {IndexExpr(0)};
  else if (ends.empty())
    ends.push_back(wholeOf(nest, a));
  const int64_t own = end == End::Last;
  auto isThere = [&](const Reach &r) {
    return r.groups.empty() && any_of(ends, [&](const IndexExpr &e) {
             return nest.expandDefinitions(e - r.rest) == IndexExpr(own);
           });
  };
  return any_of(all, [&](const Reach &r) {
    return isThere(r) && all_of(all, [&](const Reach &other) {
             return other.others.empty() &&
                    all_of(r.where, [&](const Constraint &c) {
                      return is_contained(other.where, c);
                    });
           });
  });
}

} // namespace convopt::lower
