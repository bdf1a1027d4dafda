//===- Stmt.cpp - Statements of a program ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Program/Stmt.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace convopt::program {

/// The blocks of \p s.
static SmallVector<const Block *, 2> blocksOf(const Stmt &s) {
  if (const auto *f = dyn_cast<For>(&s))
    return {&f->body};
  if (const auto *i = dyn_cast<If>(&s))
    return {&i->body, &i->otherwise};
  if (const auto *scope = dyn_cast<Scope>(&s))
    return {&scope->body};
  if (const auto *f = dyn_cast<LocalFunction>(&s))
    return {&f->body};
  return {};
}

/// The expressions of \p s itself.
static SmallVector<Expr, 4> exprsOf(const Stmt &s) {
  if (const auto *d = dyn_cast<Declaration>(&s)) {
    SmallVector<Expr, 4> all{d->value};
    append_range(all, d->variable->extents);
    append_range(all, d->variable->place);
    return all;
  }
  if (const auto *a = dyn_cast<Assignment>(&s))
    return {a->target, a->value};
  if (const auto *c = dyn_cast<CallStmt>(&s))
    return {c->call};
  if (const auto *f = dyn_cast<For>(&s))
    return {f->first, f->end, f->step, f->goesOn};
  if (const auto *i = dyn_cast<If>(&s))
    return {i->condition};
  if (const auto *r = dyn_cast<Return>(&s))
    return {r->value};
  if (const auto *a = dyn_cast<Assertion>(&s))
    return {a->condition};
  return {};
}

/// Whether \p block states something and does nothing.
static bool onlyAsserts(const Block &block) {
  return !block.empty() && all_of(block, [](const StmtRef &s) {
    const auto *f = dyn_cast<For>(s.get());
    const auto *i = dyn_cast<If>(s.get());
    return isa<Assertion>(s.get()) || (f && onlyAsserts(f->body)) ||
           (i && onlyAsserts(i->body) && i->otherwise.empty());
  });
}

void walk(const Block &block, function_ref<void(const Stmt &)> visit) {
  for (const StmtRef &s : block) {
    visit(*s);
    for (const Block *inner : blocksOf(*s))
      walk(*inner, visit);
  }
}

void walkExprs(const Block &block, function_ref<void(const Expr &)> visit) {
  walk(block, [&](const Stmt &s) {
    for (const Expr &e : exprsOf(s))
      e.walk(visit);
  });
}

namespace {
/// Goes through statements from the last to the first, so that what uses a
/// variable has been kept or dropped before its declaration is.
class Dropper {
public:
  Block run(const Block &block) {
    Block kept;
    for (const StmtRef &s : reverse(block)) {
      const auto *d = dyn_cast<Declaration>(s.get());
      if (onlyAsserts({s}) ||
          (d && d->isOptional && !used.contains(d->variable.get())))
        continue;
      kept.push_back(rebuilt(s));
      for (const Expr &e : exprsOf(*s))
        e.walk([&](const Expr &part) { used.insert(part.variable().get()); });
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
  }

private:
  StmtRef rebuilt(const StmtRef &s) {
    auto with = [&](auto copy) -> StmtRef {
      copy->body = run(copy->body);
      return copy;
    };
    if (const auto *f = dyn_cast<For>(s.get()))
      return with(std::make_shared<For>(*f));
    if (const auto *i = dyn_cast<If>(s.get())) {
      auto copy = std::make_shared<If>(*i);
      copy->otherwise = run(copy->otherwise);
      return with(copy);
    }
    if (const auto *scope = dyn_cast<Scope>(s.get()))
      return with(std::make_shared<Scope>(*scope));
    if (const auto *f = dyn_cast<LocalFunction>(s.get()))
      return with(std::make_shared<LocalFunction>(*f));
    return s;
  }

  SmallPtrSet<const Variable *, 32> used;
};
} // namespace

Kernel FunctionDefinition::kernel() const {
  Kernel k{{}, {threads, 1, 1}, body};
  for (const Parameter &p : parameters)
    k.parameters.push_back(p.variable);
  return k;
}

Block dropUnused(const Block &block) { return Dropper().run(block); }

} // namespace convopt::program
