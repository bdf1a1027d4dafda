//===- KernelPlace.cpp - Where a thread stands ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "Values.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace convopt::lower {

using program::Expr;
using program::Type;

/// Whether \p e is made of a block's or thread's index.
static bool usesIndex(const Expr &e) {
  bool uses = false;
  e.walk([&](const Expr &part) {
    uses |= part.kind() == Expr::Use &&
            (isThreadIndex(*part.variable()) || isBlockIndex(*part.variable()));
  });
  return uses;
}

void KernelBody::lowerCoordinates(Scope &s) {
  for (const HostLevel &level : mapping.host)
    if (level.loop)
      s.loops.insert(level.loop->id);
  for (unsigned d = 0; d != 3; ++d) {
    const Expr block = program::blockIndex(d);
    std::vector<const Loop *> loops;
    for (const Loop *l : mapping.grid[d]) {
      s.loops.insert(l->id);
      if (constantTrips(nest, *l) == 1) { // its index is known
        s.names.bind(loopVar(l->id), lowerOf(*l, s.names));
        continue;
      }
      loops.push_back(l);
      s.names.bind(loopVar(l->id), block);
    }
    // Several loops share the dimension: decode it, the last is the fastest.
    Expr rest = block;
    for (size_t k = loops.size(); loops.size() > 1 && k-- != 0;) {
      const Loop &l = *loops[k];
      program::VariableRef v =
          constant(s.names.fresh(baseName(nest.loopNames[l.id])));
      Expr extent = extentOf(l, s.names);
      Expr index = k != 0 ? rest % extent : rest;
      declare(s, v, index + s.names.value(l.lower[0].expr)).comment =
          origin(l.range);
      rest = rest / extent;
      s.names.bind(loopVar(l.id), v);
    }
    if (loops.size() == 1 && !loops[0]->lower[0].expr.isZero())
      s.names.bind(loopVar(loops[0]->id),
                   Expr::cast(Type::integer(), block) +
                       s.names.value(loops[0]->lower[0].expr));
    if (const Loop *l = mapping.block[d]) {
      s.loops.insert(l->id);
      s.names.bind(loopVar(l->id), Expr(program::threadIndex(d)));
    }
  }
}

/// `(2 * blockIdx.y + threadIdx.y) * 8` rather than both terms times 8.
static Expr factored(const IndexExpr &e, const Names &names) {
  for (const Let &let : names.allLets()) {
    IndexExpr rest = e - IndexExpr::of(let.variable);
    if (e.coefficient(let.variable) == 1 && !rest.uses(let.variable) &&
        !rest.isZero() && rest.constantTerm() >= 0)
      return names(let.variable) + names.value(rest);
  }
  int64_t common = 0;
  for (const auto &[monomial, coefficient] : e.terms())
    common = std::gcd(common, coefficient);
  if (common <= 1 || e.terms().size() < 2)
    return names.value(e);
  IndexExpr quotient = IndexExpr::floorDiv(e, IndexExpr(common));
  return names.value(quotient) * Expr(common);
}

bool onlyLoops(const IndexExpr &e, const std::set<unsigned> &loops) {
  return llvm::all_of(e.vars(), [&](Var v) {
    return v.kind == Var::Param || loops.count(v.id);
  });
}

/// `const int y_b = 16 * blockIdx.y;`, where the boxes of buffers begin.
void KernelBody::lowerBoxCorners(Scope &s) {
  for (const auto &[buffer, site] : copySites)
    for (const IndexExpr &e : site.copy->base) {
      if (e.hasQuotient()) // which divides its block's part, too
        continue;
      for (const auto &[monomial, coefficient] : e.terms()) {
        IndexExpr part(coefficient);
        if (monomial.size() != 1 || !monomial[0].isVar())
          continue;
        Var v = monomial[0].asVar();
        part = part * IndexExpr::of(v);
        bool known = llvm::any_of(
            s.names.allLets(), [&](const Let &l) { return l.value == part; });
        if (v.kind != Var::Loop || coefficient < 0 || !s.loops.count(v.id) ||
            known || !usesIndex(s.names(v)))
          continue;
        Expr value = s.names.value(part);
        Let let = s.names.addLet(part, nest.loopNames[v.id], std::nullopt);
        declare(s, let.variable, value);
      }
    }
}

void KernelBody::lowerPartialSums(Scope &s) {
  std::set<std::pair<unsigned, IndexExpr>> done;
  for (const StatementPath &p : statements(nest))
    for (size_t k = 0; k != p.statement->iterators.size(); ++k) {
      const IndexExpr &value = p.statement->instance[k];
      unsigned iterator = p.statement->iterators[k];
      if (onlyLoops(value, s.loops))
        continue;
      IndexExpr part = value.substitute([&](Var v) {
        return v.kind == Var::Loop && !s.loops.count(v.id)
                   ? std::optional<IndexExpr>(IndexExpr(0))
                   : std::nullopt;
      });
      if (!part.usesLoops() || value.hasQuotient() ||
          !done.insert({iterator, part}).second)
        continue;
      Expr start = factored(s.names.fold(part), s.names);
      Let let =
          s.names.addLet(part, nest.loopNames[iterator] + "0", std::nullopt);
      declare(s, let.variable, start);
    }
}

void KernelBody::lowerIterators(const Body &body, Scope &s) {
  // An iterator is declared here where every statement below agrees on it.
  std::map<unsigned, std::optional<IndexExpr>> values;
  std::vector<unsigned> order;
  for (const Statement *st : collect<Statement>(body))
    for (size_t k = 0; k != st->iterators.size(); ++k) {
      auto [it, isNew] = values.insert({st->iterators[k], st->instance[k]});
      if (isNew)
        order.push_back(st->iterators[k]);
      else if (it->second && *it->second != st->instance[k])
        it->second.reset();
    }
  for (unsigned iterator : order) {
    const auto &value = values[iterator];
    Var v = loopVar(iterator);
    bool declared = llvm::any_of(s.names.allLets(),
                                 [&](const Let &l) { return l.variable == v; });
    if (!value || declared || !onlyLoops(*value, s.loops))
      continue;
    bool isThread = llvm::any_of(value->vars(), [&](Var u) {
      return u.kind == Var::Loop && usesIndex(s.names(u));
    });
    std::optional<Var> same = value->asVar();
    if (same && isThread) // where a box begins may have given it a name
      same = s.names.fold(*value).asVar();
    if (same && !usesIndex(s.names(*same))) {
      s.names.bind(v, s.names(*same));
      continue;
    }
    Expr at = factored(s.names.fold(*value), s.names);
    s.names.addLet(*value, nest.loopNames[iterator], v);
    declare(s, v, at);
  }
}

void KernelBody::lowerThreadGuard(Scope &s) {
  std::vector<Constraint> guards;
  for (int d = 0; d != 3; ++d)
    if (mapping.block[d] && !isSplit(*mapping.block[d]))
      for (Constraint c : partialConstraints(*mapping.block[d])) {
        c.expr = s.names.fold(c.expr);
        if (!llvm::is_contained(guards, c))
          guards.push_back(c);
      }
  if (guards.empty())
    return;
  if (mapping.split || isCollective(nest, *mapping.thread)) {
    inside = constant(s.names.fresh("inside"), Type::boolean());
    declare(s, inside, s.names.condition(guards));
    return;
  }
  auto &outside =
      s.add<program::If>(s.names.condition(guards, /*negated=*/true));
  outside.isBraced = false;
  outside.body.push_back(std::make_shared<program::Return>());
}

} // namespace convopt::lower
