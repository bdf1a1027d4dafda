//===- OptionalArrays.cpp - Arrays that may be missing --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Recompute.h"

using namespace llvm;

namespace convopt {

std::optional<unsigned> presenceOf(const Function &f, const Argument &array) {
  const std::string &pointer = array.isPart() ? array.source : array.name;
  for (const Argument &a : f.arguments)
    if (a.isPresence && a.source == pointer)
      return a.index;
  return std::nullopt;
}

/// What accesses to \p array ask of sizes, each once; some may ask nothing.
static std::vector<std::vector<Constraint>> askedOfSizes(const Nest &nest,
                                                         unsigned array) {
  std::vector<std::vector<Constraint>> all;
  auto touch = [&](const Access &a, const StatementPath &p,
                   ArrayRef<Constraint> guard) {
    if (a.array != array)
      return;
    std::vector<Constraint> here;
    auto add = [&](ArrayRef<Constraint> conditions) {
      for (const Constraint &c : conditions)
        if (!c.expr.usesLoops() && !is_contained(here, c))
          here.push_back(c);
    };
    for (const Guard *g : select<Guard>(p.enclosing))
      add(g->conditions);
    add(guard);
    if (!is_contained(all, here))
      all.push_back(std::move(here));
  };
  for (const StatementPath &p : statementsByCase(nest)) {
    touch(p.statement->target, p, predicatesOf(*p.statement));
    for (const Operand &o : readsOf(*p.statement))
      touch(o.access, p, o.guard);
  }
  return all;
}

std::vector<std::vector<Constraint>> touchedUnder(const Nest &nest,
                                                  unsigned array) {
  std::vector<std::vector<Constraint>> all = askedOfSizes(nest, array);
  if (any_of(all, [](const auto &sizes) { return sizes.empty(); }))
    all.clear();
  return all;
}

bool asksVariously(const Nest &nest, unsigned array) {
  return askedOfSizes(nest, array).size() > 1;
}

/// Whether \p a is a quotient of loops.
static bool dividesLoops(const Atom &a) {
  return !a.isVar() && a.num().usesLoops();
}

/// Whether the loops of \p c are such as \p subscript has, in the same terms or
/// the same quotients.
static bool isOfSubscript(const Constraint &c, const IndexExpr &subscript) {
  auto hasTerm = [&](const auto &term, int64_t sign) {
    auto of = subscript.terms().find(term.first);
    return of != subscript.terms().end() && of->second == sign * term.second;
  };
  auto hasQuotient = [&](const Atom &q) {
    return any_of(subscript.terms(), [&](const auto &term) {
      return is_contained(term.first, q);
    });
  };
  auto isOfLoops = [](const Atom &a) {
    return a.isVar() ? a.asVar().kind == Var::Loop : dividesLoops(a);
  };
  if (any_of(c.expr.terms(),
             [](const auto &term) { return any_of(term.first, dividesLoops); }))
    return all_of(c.expr.terms(), [&](const auto &term) {
      return all_of(term.first, [&](const Atom &a) {
        return !dividesLoops(a) || hasQuotient(a);
      });
    });
  return any_of(ArrayRef<int64_t>{1, -1}, [&](int64_t sign) {
    return all_of(c.expr.terms(), [&](const auto &term) {
      return none_of(term.first, isOfLoops) || hasTerm(term, sign);
    });
  });
}

/// What guards may keep within bounds: the subscripts of \p a, and what these
/// divide.
static void addBounded(const Access &a, std::vector<IndexExpr> &all) {
  for (const IndexExpr &e : a.subscripts) {
    all.push_back(e);
    for (const auto &[monomial, coefficient] : e.terms())
      for (const Atom &atom : monomial)
        if (dividesLoops(atom))
          all.push_back(atom.num());
  }
}

bool isMasked(const Nest &nest, unsigned array) {
  return any_of(statementsByCase(nest), [&](const StatementPath &p) {
    std::vector<IndexExpr> bounded;
    std::vector<Constraint> guards;
    bool reads = false;
    addBounded(p.statement->target, bounded);
    for (const Operand &o : readsOf(*p.statement)) {
      addBounded(o.access, bounded);
      if (o.access.array == array) {
        reads = true;
        append_range(guards, o.guard);
      }
    }
    for (const Guard *g : select<Guard>(p.enclosing))
      append_range(guards, g->conditions);
    return reads && any_of(guards, [&](const Constraint &c) {
             return c.expr.usesLoops() &&
                    none_of(bounded, [&](const IndexExpr &e) {
                      return isOfSubscript(c, e);
                    });
           });
  });
}

} // namespace convopt
