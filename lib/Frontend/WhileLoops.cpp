//===- WhileLoops.cpp - Loops that count by `while` and `do` --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `while (i < n) { ...; i++; }`, `while (i-- > 0)` and `do ... while (++i <
/// n)` as the `for` statements that run the same iterations. A `do` loop is one
/// where its condition is true at first, which the builder of loops assumes.
///
//===----------------------------------------------------------------------===//

#include "Mentions.h"
#include "NestBuilder.h"
#include "VariableUse.h"

using namespace llvm;
using namespace clang;

namespace convopt {

namespace {

/// A `continue` of the loop whose body is visited.
class Continues : public DynamicRecursiveASTVisitor {
public:
  bool found = false;

  bool VisitContinueStmt(ContinueStmt *) override { return !(found = true); }
  bool TraverseForStmt(ForStmt *) override { return true; }
  bool TraverseWhileStmt(WhileStmt *) override { return true; }
  bool TraverseDoStmt(DoStmt *) override { return true; }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *) override { return true; }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
};

} // namespace

static bool hasContinue(const Stmt *body) {
  Continues visitor;
  visitor.TraverseStmt(const_cast<Stmt *>(body));
  return visitor.found;
}

/// `while (i-- > 0)` and `while (++i < n)`: the first compares before the step,
/// which the body then begins with, and the second after it. What the header of
/// a `for` moves besides ends the body. `do ... while (++i < n)` compares what
/// the next iteration has, and `do ... while (i++ < n)` what this one had.
const ForStmt *NestBuilder::withStep(const Stmt *s, const Expr *c,
                                     const Stmt *body) const {
  const auto *loop = dyn_cast<ForStmt>(s);
  const Mentions all = mentionsOf(c);
  const clang::SourceLocation at = c->getBeginLoc();
  auto constant = [&](QualType type, unsigned value) {
    return IntegerLiteral::Create(ast, APInt(ast.getIntWidth(type), value),
                                  type, at);
  };
  auto make = [&](Expr *l, Expr *r, BinaryOperatorKind op, QualType type) {
    return BinaryOperator::Create(ast, l, r, op, type, VK_PRValue, OK_Ordinary,
                                  at, FPOptionsOverride());
  };
  // A conversion of what is compared may change it.
  auto stepIn = [&](const Expr *e) -> UnaryOperator * {
    const auto *u = dyn_cast<UnaryOperator>(e->IgnoreParenImpCasts());
    const VarDecl *v = u && u->isIncrementDecrementOp()
                           ? namedVariable(u->getSubExpr())
                           : nullptr;
    const bool isAlone =
        v && count_if(all.variables, [&](const DeclRefExpr *ref) {
               return ref->getDecl() == v;
             }) == 1;
    return isAlone && v->getType()->isIntegerType() &&
                   ast.hasSameUnqualifiedType(e->getType(), u->getType())
               ? const_cast<UnaryOperator *>(u)
               : nullptr;
  };
  const auto *b = dyn_cast<BinaryOperator>(c->IgnoreParenImpCasts());
  UnaryOperator *step = stepIn(c->IgnoreParenImpCasts());
  const bool isDo = isa<DoStmt>(s);
  auto compared = [&]() -> Expr * {
    Expr *v = loaded(step->getSubExpr());
    return isDo && step->isPostfix()
               ? make(v, constant(step->getType(), 1),
                      step->isIncrementOp() ? BO_Sub : BO_Add, step->getType())
               : v;
  };
  Expr *condition = nullptr;
  if (step) {
    condition = make(compared(), constant(step->getType(), 0), BO_NE,
                     ast.getLogicalOperationType());
  } else if (b && b->isComparisonOp()) {
    const bool onLeft = (step = stepIn(b->getLHS()));
    if (!onLeft)
      step = stepIn(b->getRHS());
    if (step)
      condition = make(onLeft ? compared() : b->getLHS(),
                       onLeft ? b->getRHS() : compared(), b->getOpcode(),
                       ast.getLogicalOperationType());
  }
  auto *init = loop ? const_cast<Stmt *>(loop->getInit()) : nullptr;
  auto *inc = loop ? const_cast<Expr *>(loop->getInc()) : nullptr;
  if (!step || (init && step->isPrefix()) || (inc && hasContinue(body)))
    return nullptr;
  if (isDo)
    return new (ast)
        ForStmt(ast, nullptr, condition, nullptr, step,
                const_cast<Stmt *>(body), s->getBeginLoc(), at, c->getEndLoc());
  SmallVector<Stmt *> statements;
  if (step->isPrefix())
    init = make(step->getSubExpr(),
                make(loaded(step->getSubExpr()), constant(step->getType(), 1),
                     step->isIncrementOp() ? BO_Add : BO_Sub, step->getType()),
                BO_Assign, step->getType());
  else
    statements.push_back(step);
  statements.push_back(const_cast<Stmt *>(body));
  if (inc)
    statements.push_back(inc);
  return new (ast)
      ForStmt(ast, init, condition, nullptr, step,
              CompoundStmt::Create(ast, statements, FPOptionsOverride(),
                                   body->getBeginLoc(), body->getEndLoc()),
              s->getBeginLoc(), at, c->getEndLoc());
}

/// `while (c) { ...; i++; ... }` as `for (; c; i++) { ... }`, whose body has
/// the step as well; null where it is another loop. A `continue` after the step
/// skips nothing of it. `do` loops are those where c is true at first.
const ForStmt *NestBuilder::asFor(const Stmt *s) const {
  const auto *f = dyn_cast<ForStmt>(s);
  const auto *w = dyn_cast<WhileStmt>(s);
  const auto *d = dyn_cast<DoStmt>(s);
  if (f)
    return f->getCond() ? withStep(f, f->getCond(), f->getBody()) : nullptr;
  if (w ? w->getConditionVariable() != nullptr : !d)
    return nullptr;
  const Expr *condition = w ? w->getCond() : d->getCond();
  const Stmt *body = w ? w->getBody() : d->getBody();
  if (const ForStmt *steps = withStep(s, condition, body))
    return steps;
  const auto *list = dyn_cast<CompoundStmt>(body);
  if (!list || !list->size())
    return nullptr;
  for (size_t k = list->size(); k-- > 0;) {
    auto *step = dyn_cast<Expr>(list->body_begin()[k]);
    const VarDecl *v = step ? countedVariable(step) : nullptr;
    if (!v)
      continue;
    auto *f = new (ast)
        ForStmt(ast, nullptr, const_cast<Expr *>(condition), nullptr, step,
                const_cast<CompoundStmt *>(list), s->getBeginLoc(),
                condition->getBeginLoc(), condition->getEndLoc());
    if (variableOf(f) == v)
      return any_of(ArrayRef(list->body_begin(), k), hasContinue) ? nullptr : f;
  }
  return nullptr;
}

} // namespace convopt
