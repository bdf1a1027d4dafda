//===- Divisions.cpp - Divisions by sizes in a body -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Divisions.h"
#include "LaunchPlan.h"

using namespace llvm;

namespace convopt {

/// Adds what \p e divides by sizes.
static void addDividends(const IndexExpr &e, std::set<IndexExpr> &dividends) {
  for (const auto &[m, c] : e.terms())
    for (const Atom &a : m) {
      if (a.isVar() || !a.num().usesLoops())
        continue;
      if (!a.den().isConstant())
        dividends.insert(a.num());
      addDividends(a.num(), dividends);
    }
}

int64_t divisionsOf(const Nest &nest, const StatementPath &p,
                    ArrayRef<const Loop *> inside) {
  std::set<IndexExpr> dividends;
  for (const Guard *g : select<Guard>(p.enclosing))
    for (const Constraint &c : g->conditions)
      addDividends(c.expr, dividends);
  for (const Operand &o : p.statement->operands) {
    auto add = [&](const IndexExpr &e) {
      addDividends(overCurrentLoops(*p.statement, e), dividends);
    };
    for (const Constraint &c : o.guard)
      add(c.expr);
    for (const IndexExpr &e : o.access.subscripts)
      add(e);
  }
  int64_t count = 0;
  for (const IndexExpr &e : dividends) {
    std::vector<const Loop *> used = inside.vec();
    erase_if(used, [&](const Loop *l) { return !e.uses(loopVar(l->id)); });
    count += workOf(nest, used);
  }
  return count;
}

} // namespace convopt
