//===- Touched.cpp - Sizes at which an array is used ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Touched.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Recompute.h"
#include "convopt/Nest/Terms.h"

using namespace llvm;

namespace convopt {

/// Whether \p c is about one iterator of the source.
static bool isOfOne(const Constraint &c, const Statement &s) {
  return any_of(s.instance, [&](const IndexExpr &iterator) {
    return all_of(c.expr.vars(), [&](Var v) {
      return v.kind == Var::Param || iterator.uses(v);
    });
  });
}

/// What holds where \p path reads or writes what \p own guards: each of its
/// loops has an iteration that guards of one iterator, or of the same sum of
/// several, let pass.
static std::vector<Constraint> runsWhere(const Nest &nest,
                                         const StatementPath &path,
                                         ArrayRef<Constraint> own) {
  std::vector<Constraint> all, guards;
  for (const Constraint &c : own)
    guards.push_back({c.kind, overCurrentLoops(*path.statement, c.expr)});
  for (const Guard *g : select<Guard>(path.enclosing))
    append_range(guards, g->conditions);
  append_range(guards, predicatesOf(*path.statement));
  const std::vector<const Loop *> loops = loopsAmong(path.enclosing);
  // Guards of sums bound no iterator, but together.
  for (bool takesSums : {false, true})
    for (const Loop *l : loops) {
      std::vector<Bound> lower = l->lower, upper = l->upper;
      for (const Constraint &c : guards) {
        const int64_t sign = c.expr.coefficient(loopVar(l->id));
        const IndexExpr rest =
            c.expr - IndexExpr(sign) * IndexExpr::of(loopVar(l->id));
        if (!takesSums && !isOfOne(c, *path.statement))
          continue;
        if (sign > 0)
          lower.push_back({-rest, sign});
        if (sign < 0)
          upper.push_back({rest + 1, -sign});
      }
      for (const Bound &first : lower)
        for (const Bound &end : upper) {
          if (first.divisor != 1 && end.divisor != 1)
            continue;
          const std::optional<IndexExpr> more =
              mostAtEnds(nest, hasOne(first, end), loops);
          if (!more || more->usesLoops() ||
              more->asConstant().value_or(-1) >= 0)
            continue;
          Constraint c{Constraint::NonNegative, *more};
          if (!is_contained(all, c))
            all.push_back(c);
        }
    }
  return all;
}

std::vector<Constraint> touchedWhere(const Nest &nest, unsigned array) {
  std::optional<std::vector<Constraint>> common;
  auto touch = [&](const Access &a, const StatementPath &p,
                   ArrayRef<Constraint> guard) {
    if (a.array != array)
      return;
    const std::vector<Constraint> here = runsWhere(nest, p, guard);
    if (!common)
      common = here;
    erase_if(*common,
             [&](const Constraint &c) { return !is_contained(here, c); });
  };
  for (const StatementPath &p : statementsByCase(nest)) {
    touch(p.statement->target, p, {});
    for (const Operand &o : readsOf(*p.statement))
      touch(o.access, p, o.guard);
  }
  if (!common)
    return {};
  const Array &a = nest.arrays[array];
  ArrayRef<IndexExpr> counts = a.footprint.empty() ? a.extents : a.footprint;
  erase_if(*common, [&](const Constraint &c) {
    return any_of(counts, [&](const IndexExpr &e) {
      return nest.expandDefinitions(e - 1) == nest.expandDefinitions(c.expr);
    });
  });
  return *common;
}

void emptyUntouched(Nest &nest) {
  std::vector<bool> isTouched(nest.arrays.size());
  for (const StatementPath &p : statements(nest)) {
    for (const Access *a : accessesOf(*p.statement))
      isTouched[a->array] = true;
  }
  for (unsigned id = 0; id != nest.arrays.size(); ++id) {
    Array &a = nest.arrays[id];
    if (isTouched[id] || a.isLocal() || a.extents.empty())
      continue;
    a.extents[0] = 0;
    a.footprint.clear();
    erase_if(nest.assumptions,
             [&](const Assumption &of) { return of.spanned == id; });
  }
}

} // namespace convopt
