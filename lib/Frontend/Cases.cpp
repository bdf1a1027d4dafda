//===- Cases.cpp - Statements that are a case of one of the source's ------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "convopt/Nest/OptionalArrays.h"

using namespace llvm;

namespace convopt {

/// What has to hold for the case of \p p never to run, where it does for most
/// sizes: that an image is larger than what a border reaches into it.
static std::optional<Needs> whyRare(const StatementPath &p,
                                    const Prover &prover) {
  // Of rows that somebody chose, the first may be the image's.
  auto isOfStart = [&](const IndexExpr &fact) {
    const std::set<Var> vars = fact.vars();
    return vars.size() == 1 &&
           prover.roleOf(*vars.begin()) == SizeSamples::Role::Free;
  };
  const auto &own = cast<Guard>(*p.enclosing.back());
  ProofDomain around =
      ProofDomain::of({p.enclosing.begin(), std::prev(p.enclosing.end())});
  auto isOfSizes = [&](const IndexExpr &e) { // of an image and a filter
    const std::set<Var> vars = e.vars();
    return vars.size() > 1 && all_of(vars, [&](Var v) {
             const SizeSamples::Role role = prover.roleOf(v);
             return role == SizeSamples::Role::Large ||
                    role == SizeSamples::Role::Small;
           });
  };
  for (const Constraint &c : own.conditions) {
    if (c.kind != Constraint::NonNegative ||
        (!c.expr.usesLoops() && !isOfSizes(c.expr)))
      continue;
    ProofDomain d = around;
    for (const Constraint &other : own.conditions)
      if (&other != &c)
        d.guards.push_back(other);
    std::optional<Needs> needs = prover.nonNegative(-c.expr - 1, d);
    if (needs && none_of(*needs, isOfStart) &&
        prover.shareOf(*needs) == SizeSamples::NearlyAll)
      return needs;
  }
  return std::nullopt;
}

/// What is in \p guard, which need not ask for any of \p facts.
static Body withoutFacts(const Guard &guard, const std::set<IndexExpr> &facts) {
  auto rest = std::make_shared<Guard>(guard);
  erase_if(rest->conditions, [&](const Constraint &c) {
    return c.kind == Constraint::NonNegative && facts.count(c.expr);
  });
  return rest->conditions.empty() ? rest->body : Body{rest};
}

void dropRareCases(NestBuilder &b) {
  Nest &nest = b.nest;
  const Prover prover(nest);
  std::set<const Node *> rare;
  std::set<IndexExpr> facts;
  for (const StatementPath &p : statements(nest)) {
    if (!b.caseOf.count(p.statement->id))
      continue;
    std::optional<Needs> needs = whyRare(p, prover);
    if (!needs)
      continue;
    facts.insert(needs->begin(), needs->end());
    for (const IndexExpr &e : *needs)
      addAssumption(nest, e, "borders are narrower than what is within them",
                    p.statement->range);
    rare.insert(p.enclosing.back().get());
  }
  std::set<const Node *> cases;
  for (const StatementPath &p : statements(nest))
    if (b.caseOf.count(p.statement->id))
      cases.insert(p.enclosing.back().get());
  if (rare.empty())
    return;
  nest.body = rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
    if (rare.count(n.get()))
      return Body();
    if (!cases.count(n.get()))
      return std::nullopt;
    Body rest = withoutFacts(cast<Guard>(*n), facts);
    if (const auto *s = dyn_cast<Statement>(rest.front().get()))
      b.caseOf.erase(s->id); // there is no other one
    return rest;
  });
}

/// Whether \p c holds nowhere on \p d, by the intervals of its loops.
static bool isNowhere(const Constraint &c, const ProofDomain &d,
                      const Prover &prover) {
  auto isProved = [&](const IndexExpr &e) {
    std::optional<Needs> needs = prover.nonNegative(e, d);
    return needs && needs->empty();
  };
  return isProved(-c.expr - 1) ||
         (c.kind == Constraint::Zero && isProved(c.expr - 1));
}

/// Whether \p own, a guard, holds nowhere in what is \p around it.
static bool isImpossible(const Guard &own, const std::vector<NodeRef> &around,
                         const Prover &prover) {
  Conjunction all;
  addKnown(own, all);
  for (const NodeRef &outer : around)
    addKnown(*outer, all);
  if (contradict(all))
    return true;
  for (size_t k = 0; k != own.conditions.size(); ++k) {
    ProofDomain d = ProofDomain::of(around);
    for (size_t other = 0; other != own.conditions.size(); ++other)
      if (other != k)
        d.guards.push_back(own.conditions[other]);
    if (isNowhere(own.conditions[k], d, prover))
      return true;
  }
  return false;
}

/// Has \p prover know that arrays are there that are used whatever is null.
static void knowUsed(const Nest &nest, Prover &prover) {
  for (const Argument &a : nest.function.arguments) {
    const std::optional<unsigned> isThere = a.role == Argument::ArrayArg
                                                ? presenceOf(nest.function, a)
                                                : std::nullopt;
    if (isThere && !usesOf(nest, a.index).empty() &&
        touchedUnder(nest, a.index).empty())
      prover.know(IndexExpr::param(*isThere) - 1);
  }
}

void dropImpossible(Nest &nest) {
  Prover prover(nest);
  knowUsed(nest, prover);
  std::set<const Node *> never;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *g = dyn_cast<Guard>(&n);
    if (g && isImpossible(*g, enclosing, prover))
      never.insert(g);
  });
  if (never.empty())
    return;
  const Body live =
      rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
        return never.count(n.get()) ? std::optional(Body()) : std::nullopt;
      });
  // Nor loops that are left with nothing.
  if (Body all = withoutStatements(live, {}); !all.empty())
    nest.body = std::move(all);
}

/// What all sides of a branch touch, right behind their guards, is touched.
static void joinSides(std::vector<ArrayUse> &uses, const NestBuilder &b) {
  std::map<unsigned, StatementPath> paths;
  for (const StatementPath &p : statements(b.nest))
    paths.emplace(p.statement->id, p);
  auto hasGuards = [&](ArrayRef<unsigned> side) {
    return any_of(side, [&](unsigned id) {
      return any_of(paths.at(id).statement->operands,
                    [](const Operand &o) { return !o.guard.empty(); });
    });
  };
  for (const std::vector<std::vector<unsigned>> &all : b.sides) {
    // Sides that nothing runs in are gone.
    std::vector<std::vector<unsigned>> sides = all;
    for (std::vector<unsigned> &side : sides)
      erase_if(side, [&](unsigned id) { return !paths.count(id); });
    erase_if(sides, [](const auto &side) { return side.empty(); });
    if (any_of(sides, hasGuards))
      continue;
    auto isIn = [](const ArrayUse &u, ArrayRef<unsigned> side) {
      return is_contained(side, u.statement->id);
    };
    for (const ArrayUse &known : std::vector<ArrayUse>(uses)) {
      auto isSame = [&](const ArrayUse &u) {
        return u.isWrite == known.isWrite && *u.access == *known.access;
      };
      auto touches = [&](ArrayRef<unsigned> side) {
        return any_of(uses, [&](const ArrayUse &u) {
          return isIn(u, side) && isSame(u);
        });
      };
      if (none_of(sides, [&](const auto &s) { return isIn(known, s); }) ||
          !all_of(sides, touches))
        continue;
      for (ArrayUse &u : uses)
        for (const auto &side : sides)
          if (isIn(u, side) && isSame(u)) {
            const auto &around = paths.at(u.statement->id).enclosing;
            u.domain =
                ProofDomain::of({around.begin(), std::prev(around.end())});
          }
    }
  }
}

/// What the guards of all \p cases say.
static std::shared_ptr<Guard> commonGuard(ArrayRef<StatementPath> cases) {
  const NodeRef &first = cases.front().enclosing.back();
  auto common = std::make_shared<Guard>(first->range);
  for (const Constraint &c : cast<Guard>(*first).conditions)
    if (all_of(cases, [&](const StatementPath &p) {
          return is_contained(cast<Guard>(*p.enclosing.back()).conditions, c);
        }))
      common->conditions.push_back(c);
  return common;
}

/// Of the cases of a statement one runs. So where what some of them have in
/// common excludes all others, some of them does: those that differ in nothing
/// but the columns of a clamped image touch all of another one's.
static void joinCasesOf(std::vector<ArrayUse> &uses,
                        ArrayRef<StatementPath> all) {
  auto caseOf = [&](const ArrayUse &u) {
    return find_if(all, [&](const StatementPath &p) {
      return p.statement == u.statement;
    });
  };
  for (const ArrayUse &known : std::vector<ArrayUse>(uses)) {
    if (caseOf(known) == all.end())
      continue;
    auto isSame = [&](const ArrayUse &u) {
      return u.isWrite == known.isWrite && *u.access == *known.access;
    };
    std::vector<StatementPath> same, others;
    for (const StatementPath &p : all)
      (any_of(uses,
              [&](const ArrayUse &u) {
                return u.statement == p.statement && isSame(u);
              })
           ? same
           : others)
          .push_back(p);
    const std::shared_ptr<Guard> common = commonGuard(same);
    auto isExcluded = [&](const StatementPath &p) {
      Conjunction both = common->conditions;
      append_range(both, cast<Guard>(*p.enclosing.back()).conditions);
      return contradict(both);
    };
    if (!all_of(others, isExcluded))
      continue;
    for (ArrayUse &u : uses)
      if (const auto *p = caseOf(u); p != all.end() && isSame(u)) {
        std::vector<NodeRef> around = p->enclosing;
        around.back() = common;
        u.domain = ProofDomain::of(around);
      }
  }
}

void joinCases(std::vector<ArrayUse> &uses, const NestBuilder &b) {
  joinSides(uses, b);
  std::map<unsigned, std::vector<StatementPath>> groups;
  for (const StatementPath &p : statements(b.nest))
    if (auto it = b.caseOf.find(p.statement->id); it != b.caseOf.end())
      groups[it->second].push_back(p);
  for (const auto &[first, all] : groups)
    if (none_of(all.front().statement->operands,
                [](const Operand &o) { return !o.guard.empty(); }))
      joinCasesOf(uses, all);
}

} // namespace convopt
