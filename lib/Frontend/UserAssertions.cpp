//===- UserAssertions.cpp - The source's own assertions -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `assert(c);` ends the program where `c` does not hold. It does nothing where
/// loops, guards and sizes imply `c`, and is left out there.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "ForEach.h"
#include "LoopVariables.h"
#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

static bool endsProgram(const Stmt *s) {
  const auto *e = dyn_cast_or_null<Expr>(s);
  const auto *call = e ? dyn_cast<CallExpr>(e->IgnoreParenImpCasts()) : nullptr;
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->isNoReturn();
}

/// The condition without which \p e, which does nothing else, ends the program:
/// `c ? (void)0 : fail()` of C++, and `({ if (c) ; else fail(); })` of C. Null:
/// \p e is something else.
static const Expr *assertedBy(const Expr *e) {
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    if (u->getOpcode() == UO_Extension)
      e = u->getSubExpr()->IgnoreParens();
  if (const auto *c = dyn_cast<ConditionalOperator>(e))
    return endsProgram(c->getFalseExpr()) ? c->getCond() : nullptr;
  const auto *block = dyn_cast<StmtExpr>(e);
  const auto *i = block && block->getSubStmt()->size() == 1
                      ? dyn_cast<IfStmt>(block->getSubStmt()->body_front())
                      : nullptr;
  return i && isa<NullStmt>(i->getThen()) && endsProgram(i->getElse())
             ? i->getCond()
             : nullptr;
}

bool isAsserted(const Stmt *s, const DeclRefExpr *ref, const ASTContext &ast) {
  // The macro of C names its argument in a `sizeof`, too.
  auto place = [&](const DeclRefExpr *one) {
    return ast.getSourceManager().getFileLoc(one->getLocation());
  };
  bool found = false;
  forEach<Expr>(s, [&](const Expr *e) {
    if (const Expr *condition = assertedBy(e))
      forEach<DeclRefExpr>(condition, [&](const DeclRefExpr *one) {
        found |= place(one) == place(ref);
      });
  });
  return found;
}

std::optional<bool> NestBuilder::assertion(const Expr *e) {
  const Expr *condition = assertedBy(e);
  if (!condition)
    return std::nullopt;
  const clang::SourceRange where = condition->getSourceRange();
  std::optional<Pieces> all =
      attempt([&] { return pieces(condition, /*negated=*/false); });
  if (!all || all->size() != 1)
    return fail(diag::Statement, where,
                "this assertion may end the program within the loops",
                withoutAssertions);
  auto ask = [&](const IndexExpr &least) {
    Obligation o;
    o.expr = least;
    o.where = range(where);
    o.why = assertedWhy;
    o.remedy = withoutAssertions;
    oblige(std::move(o));
  };
  for (const Constraint &c : all->front()) {
    ask(c.expr);
    if (c.kind == Constraint::Zero)
      ask(-c.expr);
  }
  return true;
}

} // namespace convopt
