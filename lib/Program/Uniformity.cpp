//===- Uniformity.cpp - Where the threads of a block agree ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uniformity.h"
#include "Headline.h"

using namespace llvm;

namespace convopt::program {

Uniformity::Uniformity(const Kernel &kernel) : kernel(kernel) {
  do {
    hasChanged = hasReturned = false;
    problem = nullptr;
    visit(kernel.body, /*isParted=*/false);
  } while (hasChanged);
}

bool Uniformity::varies(const Expr &e) const {
  if (isVote(e))
    return false; // all hear the same
  bool result = false;
  e.walk([&](const Expr &part) {
    if (part.kind() == Expr::Use || isScalar(part)) {
      const Variable &v = *part.variable();
      for (unsigned d = 0; d != 3; ++d) // along which there are threads
        result |= &v == threadIndex(d).get() && kernel.block[d] != 1;
      result |= varying.contains(&v);
      result |= !v.isArray() && v.memory != Memory::Register;
    } else {
      result |= part.kind() == Expr::Element || part.kind() == Expr::Access ||
                part.kind() == Expr::Beyond;
    }
  });
  return result;
}

void Uniformity::mark(const Variable &v) {
  hasChanged |= varying.insert(&v).second;
}

void Uniformity::visit(const Block &block, bool isParted) {
  for (const StmtRef &s : block)
    visit(*s, isParted);
}

void Uniformity::visit(const Stmt &s, bool isParted) {
  if (const auto *d = dyn_cast<Declaration>(&s)) {
    if (d->value && (isParted || varies(d->value)))
      mark(*d->variable);
    if (d->value && isVote(d->value))
      meet(s, isParted);
  } else if (const auto *a = dyn_cast<Assignment>(&s)) {
    if (isScalar(a->target) && (isParted || varies(a->value)))
      mark(*a->target.variable());
    if (isExchange(a->value))
      meetInWarps(s, isParted);
  } else if (const auto *c = dyn_cast<CallStmt>(&s)) {
    visitCall(*c, isParted);
  } else if (const auto *f = dyn_cast<For>(&s)) {
    const bool parts =
        isParted || varies(f->first) || varies(f->end) || varies(f->step);
    if (parts)
      mark(*f->variable);
    const bool before = hasReturned;
    visit(f->body, parts);
    if (hasReturned != before) // before the next iteration
      visit(f->body, parts);
  } else if (const auto *i = dyn_cast<If>(&s)) {
    const bool parts = isParted || varies(i->condition);
    visit(i->body, parts);
    visit(i->otherwise, parts);
  } else if (const auto *scope = dyn_cast<Scope>(&s)) {
    visit(scope->body, isParted);
  } else if (const auto *f = dyn_cast<LocalFunction>(&s)) {
    visit(f->body, partedCalls.contains(f->name->name));
  } else if (isa<Return>(&s)) {
    hasReturned |= isParted;
  }
}

void Uniformity::visitCall(const CallStmt &c, bool isParted) {
  const CalledFunction &f = c.call.function();
  switch (f.callee) {
  case Callee::Local:
    // Of several functions of a name, it may be any.
    if (isParted || varies(c.call.operand(0)))
      walk(kernel.body, [&](const Stmt &s) {
        const auto *l = dyn_cast<LocalFunction>(&s);
        if (l && l->name->name == f.name)
          mark(*l->parameter);
      });
    if (isParted)
      hasChanged |= partedCalls.insert(f.name).second;
    return;
  case Callee::SyncThreads:
  case Callee::Commit:
  case Callee::WaitPrior:
    return meet(c, isParted);
  default:
    return;
  }
}

void Uniformity::meet(const Stmt &s, bool isParted) {
  if (problem || (!isParted && !hasReturned))
    return;
  problem = &s;
  why = isParted ? "is where threads may have parted"
                 : "comes after a return of some threads";
}

void Uniformity::meetInWarps(const Stmt &s, bool isParted) {
  meet(s, isParted);
  if (problem ||
      kernel.block[0] * kernel.block[1] * kernel.block[2] % WarpSize == 0)
    return;
  problem = &s;
  why = "is where a warp has lanes without a thread";
}

} // namespace convopt::program
