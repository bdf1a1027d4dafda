//===- KernelAssertions.cpp - Why tests are left out ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a test of the nest is left out, as in full tiles, the program states
// that it would hold, or fail. What that follows from stands around it: tests,
// bounds of loops, and what the launch makes sure of.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "Values.h"
#include "convopt/Nest/Facts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

void KernelBody::assertGiven(Scope &s) const {
  Names names = s.names;
  names.setSigned(true);
  auto add = [&](const Expr &holds) {
    s.add<Assertion>(holds, /*isGiven=*/true);
  };
  for (const auto &[id, p] : enumerate(nest.params))
    if (isUnsigned(p))
      add(names.condition({Constraint::NonNegative, IndexExpr::param(id)}));
  for (const Assumption &a : nest.assumptions)
    if (!a.spanned)
      add(names.fact(a.fact));
  for (const Loop *l : loops(nest))
    if (isHost(l->kind) || isGrid(l->kind))
      for (const Constraint &c : loopConstraints(*l))
        add(names.condition(c));
}

void KernelBody::assertRest(ArrayRef<Constraint> all,
                            ArrayRef<Constraint> compared, Scope &s) const {
  for (const Constraint &c : all)
    if (!is_contained(compared, c))
      s.add<Assertion>(comparison({c}, s));
}

void KernelBody::assertNever(const NodeRef &n, const Scope &s) const {
  walk({n}, [&](const Node &inner, const std::vector<NodeRef> &enclosing) {
    if (!s.never.count(&inner))
      return;
    Scope at = s;
    for (const NodeRef &around : enclosing)
      if (const auto *l = dyn_cast<Loop>(around.get())) {
        Names names = at.names;
        names.bind(loopVar(l->id),
                   names.fresh(baseName(nest.loopNames[l->id])));
        auto &loop = at.add<For>(names.declared(loopVar(l->id)),
                                 lowerOf(*l, at.names), endOf(*l, at.names));
        at = at.in(loop.body);
        at.names = std::move(names);
        if (const std::vector<Constraint> needed =
                unsettled(*l, neededGuard(*l), s);
            !needed.empty())
          at = at.in(at.add<If>(comparison(needed, at)).body);
      } else {
        const auto &guard = cast<Guard>(*around);
        at = at.in(at.add<If>(comparison(guard.conditions, at)).body);
      }
    at.add<Assertion>(
        Expr::unary(Op::Not, comparison(cast<Guard>(inner).conditions, at)));
  });
}

} // namespace convopt::lower
