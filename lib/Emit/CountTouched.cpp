//===- CountTouched.cpp - How many elements the nest touches --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where guards let the last access be is no formula of the sizes: a stride and
// a dilation with a common divisor pass over the last row of an image. So host
// code looks for it.
//
// The offset of an access is a sum. Loops that no term, bound or guard joins
// run independently of one another, so that the greatest offset is the sum of
// what each group of joined loops adds at most. The loops of a group are few,
// such as an output row and a row of the filter. The innermost of them is one
// with which no subscript decreases: it begins at its end, and stops at the
// first iteration that the guards let pass. Loops of which there is no such one
// run as they are.
//
//===----------------------------------------------------------------------===//

#include "CountTouched.h"
#include "HostStatements.h"
#include "Values.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/Recompute.h"
#include "convopt/Nest/Terms.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::emit {

namespace {
/// Loops that depend on one another, outermost first but for the innermost,
/// and what they add to an offset where their guards hold.
struct Group {
  std::vector<const Loop *> loops;
  IndexExpr part;
  std::vector<Constraint> guards;
  bool isSearched = true; // from the end of the innermost

  friend bool operator==(const Group &a, const Group &b) {
    return a.loops == b.loops && a.part == b.part && a.guards == b.guards &&
           a.isSearched == b.isSearched;
  }
};

/// An access touches something where \p where holds, and each group has an
/// iteration: as far as \p rest and what the groups add.
struct Reach {
  std::vector<Constraint> where;
  IndexExpr rest;
  std::vector<Group> groups;
  /// What holds where others reach as far, each of which may do in its place.
  std::vector<std::vector<Constraint>> others = {};
};
} // namespace

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
    return !isIn || (increases && isNonNegative(nest, times));
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
             return any_of(
                 concat<const Bound>(other->lower, other->upper),
                 [&](const Bound &b) { return isDependent(b.expr, *l); });
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
    for (const Bound &b : concat<const Bound>(l->lower, l->upper))
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

/// The last iteration of \p g, one loop, that its guards let pass, where all of
/// that is constants; one before the first where there is none.
static std::optional<int64_t> constantLast(const Group &g) {
  const Loop &l = *g.loops[0];
  auto isOwn = [&](const Constraint &c) {
    return all_of(c.expr.vars(), [&](Var v) { return v == loopVar(l.id); });
  };
  const std::optional<int64_t> first = l.lower[0].expr.asConstant(),
                               end = l.upper[0].expr.asConstant();
  if (!first || !end || *end - *first > MostTried || !all_of(g.guards, isOwn))
    return std::nullopt;
  auto passes = [&](int64_t i) {
    return all_of(g.guards, [&](const Constraint &c) {
      const std::optional<int64_t> value =
          c.expr.evaluate([&](Var) { return i; });
      return c.kind == Constraint::Zero ? value == 0 : value.value_or(0) >= 0;
    });
  };
  int64_t last = *end - 1;
  while (last >= *first && !passes(last))
    --last;
  return last;
}

/// Takes \p g, one loop, at the last iteration that its guards let pass; false
/// where that is no expression.
static bool takeLast(const Group &g, Reach &r) {
  const Loop &l = *g.loops[0];
  if (g.loops.size() != 1 || l.upper.size() != 1 || l.lower.size() != 1 ||
      l.upper[0].divisor != 1 || l.lower[0].divisor != 1)
    return false;
  const std::optional<int64_t> constant = constantLast(g);
  if (!constant && !g.guards.empty())
    return false;
  const IndexExpr last = constant ? IndexExpr(*constant) : l.upper[0].expr - 1;
  r.rest += g.part.substitute(loopVar(l.id), last);
  const Constraint runs{Constraint::NonNegative, last - l.lower[0].expr};
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

/// How far \p a reaches.
static Reach reachOf(const Nest &nest, const StatementPath &p, const Access &a,
                     ArrayRef<Constraint> own) {
  const Statement &s = *p.statement;
  Reach r;
  std::vector<const Loop *> loops;
  std::vector<Constraint> guards = predicatesOf(s);
  for (const NodeRef &n : p.enclosing)
    if (const auto *l = dyn_cast<Loop>(n.get()))
      loops.push_back(l);
    else if (const auto *g = dyn_cast<Guard>(n.get()))
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
    if (!g.isSearched || !takeLast(g, r))
      r.groups.push_back(std::move(g));
  }
  return r;
}

/// Adds \p r to \p all, together with one that reaches as far.
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
static std::vector<Reach> reachesOf(const Nest &nest, unsigned array) {
  std::vector<Reach> all;
  auto touch = [&](const Access &a, const StatementPath &p,
                   ArrayRef<Constraint> own) {
    if (a.array == array)
      add(reachOf(nest, p, a, own), all);
  };
  for (const StatementPath &p : statements(nest)) {
    touch(p.statement->target, p, {});
    for (const Operand &o : p.statement->operands)
      if (o.kind == Operand::Read)
        touch(o.access, p, o.guard);
  }
  return all;
}

/// Whether \p array is touched as far as it is taken to reach, if at all.
static bool isReached(const Nest &nest, unsigned array, ArrayRef<Reach> all) {
  const Array &a = nest.arrays[array];
  std::vector<IndexExpr> ends = a.footprint;
  if (ends.empty())
    ends.push_back(wholeOf(nest, a));
  return all.size() == 1 && all[0].groups.empty() && all[0].others.empty() &&
         any_of(ends, [&](const IndexExpr &e) {
           return nest.expandDefinitions(e - all[0].rest) == IndexExpr(1);
         });
}

/// More joined loops run from their ends, as they take long else.
static constexpr size_t MostLoops = 3;

/// Declares what \p g adds at most, LLONG_MIN where no iteration is let pass.
/// Nothing adds more than \p limit, if that is known.
static Expr lowerGroup(const Nest &nest, const Group &g, const Expr &limit,
                       Names &names, Block &b) {
  auto iterator = [&](const Loop &l, bool isConst = false) {
    return variable(Type::integer(), names.fresh(nest.loopNames[l.id]),
                    isConst);
  };
  Expr most = define(b, variable(wide("long long"), names.fresh("most")),
                     known("LLONG_MIN", wide("long long")));
  Block *in = &b;
  auto runFromEnd = [&](const Loop &l, Expr goesOn) {
    Expr end = define(*in, variable(Type::integer(), names.fresh("end"), true),
                      upperOf(l, names));
    Expr back = variable(Type::integer(), names.fresh("back"));
    program::For &f =
        add<program::For>(*in, back.variable(), 0, end - lowerOf(l, names));
    f.goesOn = std::move(goesOn);
    names.bind(loopVar(l.id),
               define(f.body, iterator(l, true), end - 1 - back));
    in = &f.body;
  };
  for (const Loop *l : ArrayRef(g.loops).drop_back(g.isSearched)) {
    if (limit && g.loops.size() > MostLoops) {
      runFromEnd(*l, Expr::binary(program::Op::Less, most, limit));
      continue;
    }
    const Expr v = iterator(*l);
    program::For &f = add<program::For>(*in, v.variable(), lowerOf(*l, names),
                                        upperOf(*l, names));
    names.bind(loopVar(l->id), v);
    in = &f.body;
  }
  Expr found;
  if (g.isSearched) {
    found = define(*in, variable(Type::boolean(), names.fresh("found")),
                   known("false", Type::boolean()));
    runFromEnd(*g.loops.back(), Expr::unary(program::Op::Not, found));
  }
  const Expr holds = allHold(g.guards, names);
  Block &hit = holds ? where(*in, holds) : *in;
  add<program::Assignment>(hit, most,
                           call("std::max<long long>",
                                {most, names.wideValue(g.part)},
                                wide("long long")));
  if (found)
    add<program::Assignment>(hit, found, known("true", Type::boolean()));
  return most;
}

bool countTouched(const Nest &source, unsigned array, const Expr &elements,
                  Names names, const Expr &count, Block &b) {
  const std::vector<Reach> all = reachesOf(source, array);
  if (isReached(source, array, all))
    return false;
  // What several accesses add is found once, as for the rows of a clamped image
  // in each case of its columns.
  std::vector<std::pair<const Group *, Expr>> shared;
  auto known = [&](const Group &g) {
    const auto at =
        find_if(shared, [&](const auto &s) { return *s.first == g; });
    return at == shared.end() ? Expr() : at->second;
  };
  for (const Reach &r : all)
    for (const Group &g : r.groups)
      if (!known(g) && count_if(all, [&](const Reach &other) {
                         return is_contained(other.groups, g);
                       }) > 1)
        shared.push_back({&g, lowerGroup(source, g, Expr(), names, b)});
  for (const Reach &r : all) {
    Expr runs = allHold(r.where, names);
    for (const std::vector<Constraint> &other : r.others)
      if (const Expr instead = allHold(other, names); runs && instead)
        runs = either(runs, instead);
      else
        runs = Expr();
    Expr sum = names.wideValue(r.rest + 1);
    const Expr limit = r.groups.size() == 1
                           ? Expr::cast(wide("long long"), elements) - sum
                           : Expr();
    Block &in = runs ? where(b, runs) : add<program::Scope>(b).body;
    Expr isTouched;
    Names own = names;
    for (const Group &g : r.groups) {
      Expr most = known(g);
      if (!most)
        most = lowerGroup(source, g, limit, own, in);
      isTouched = both(isTouched, isNot(most, "LLONG_MIN"));
      sum = most + sum;
    }
    add<program::Assignment>(
        isTouched ? where(in, isTouched, /*isBraced=*/false) : in, count,
        call("std::max<size_t>", {count, sum}, wide("size_t")));
  }
  return true;
}

} // namespace convopt::emit
