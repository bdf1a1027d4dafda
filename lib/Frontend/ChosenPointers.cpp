//===- ChosenPointers.cpp - Elements of one of two arrays -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `const float *w = flipped ? g : f;` is no place in one array. What is read
/// by it is: `w[i]` is `flipped ? g[i] : f[i]`, one of two values, of which a
/// condition on sizes makes guarded statements.
///
//===----------------------------------------------------------------------===//

#include "ChosenPointers.h"
#include "ForEach.h"
#include "VariableUse.h"
#include "clang/AST/ExprCXX.h"

using namespace llvm;
using namespace clang;

namespace convopt {

namespace {

/// Whether an expression is the same wherever its variables can be named.
class Stability : public DynamicRecursiveASTVisitor {
public:
  bool isStable = true;

  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl()))
      isStable &= keepsValue(v, /*iterates=*/true);
    return true;
  }
  bool VisitStmt(Stmt *s) override {
    const auto *u = dyn_cast<UnaryOperator>(s);
    isStable &= !isa<CallExpr, ArraySubscriptExpr, LambdaExpr>(s) &&
                !(u && u->getOpcode() == UO_Deref) && !assignedBy(s);
    return true;
  }
  /// Whether nothing but its declaration sets \p v, or, where \p iterates, the
  /// header of its own loop between iterations.
  static bool keepsValue(const VarDecl *v, bool iterates) {
    if (v->hasGlobalStorage() || v->getType()->isReferenceType())
      return !v->getType()->isReferenceType();
    auto *owner =
        const_cast<Decl *>(Decl::castFromDeclContext(v->getDeclContext()));
    Stmt *body = owner->getBody();
    const VariableUse use(v->getASTContext(), body);
    if (use.isAddressTaken(v) || use.assignments(v))
      return false;
    std::set<const Decl *> iterators;
    forEach<ForStmt>(body, [&](ForStmt *f) {
      if (const auto *d = dyn_cast_or_null<DeclStmt>(f->getInit()))
        iterators.insert(d->decl_begin(), d->decl_end());
    });
    return (iterates && iterators.count(v)) ||
           !VariableUse::assignedIn(body).count(v);
  }
};

} // namespace

static const ConditionalOperator *choice(const ConditionalOperator *of,
                                         Expr *yes, Expr *no, ASTContext &ast) {
  return new (ast) ConditionalOperator(
      of->getCond(), of->getQuestionLoc(), yes, of->getColonLoc(), no,
      yes->getType(), yes->getValueKind(), OK_Ordinary);
}

const ConditionalOperator *chosenPointer(const Expr *e, ASTContext &ast) {
  e = e->IgnoreParens();
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(e))
    return chosenPointer(cast->getSubExpr(), ast);
  if (!e->getType()->isPointerType())
    return nullptr;
  if (const auto *c = dyn_cast<ConditionalOperator>(e))
    return c;
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (v && v->isLocalVarDecl() && !v->isStaticLocal() && v->hasInit()) {
    const ConditionalOperator *c = chosenPointer(v->getInit(), ast);
    if (!c || !Stability::keepsValue(v, /*iterates=*/false))
      return nullptr;
    Stability stability;
    stability.TraverseStmt(const_cast<Expr *>(v->getInit()));
    return stability.isStable ? c : nullptr;
  }
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (!b || !b->isAdditiveOp())
    return nullptr;
  const bool onRight = b->getLHS()->getType()->isIntegerType();
  Expr *base = onRight ? b->getRHS() : b->getLHS();
  Expr *by = onRight ? b->getLHS() : b->getRHS();
  const ConditionalOperator *c = chosenPointer(base, ast);
  auto moved = [&](Expr *arm) {
    return BinaryOperator::Create(ast, arm, by, b->getOpcode(), b->getType(),
                                  VK_PRValue, OK_Ordinary, b->getOperatorLoc(),
                                  FPOptionsOverride());
  };
  return c ? choice(c, moved(c->getTrueExpr()), moved(c->getFalseExpr()), ast)
           : nullptr;
}

const Expr *chosenElement(const Expr *e, ASTContext &ast) {
  const auto *s = dyn_cast<ArraySubscriptExpr>(e);
  const auto *u = dyn_cast<UnaryOperator>(e);
  const Expr *base = s                                  ? s->getBase()
                     : u && u->getOpcode() == UO_Deref ? u->getSubExpr()
                                                        : nullptr;
  const ConditionalOperator *c =
      base && !base->isTypeDependent() ? chosenPointer(base, ast) : nullptr;
  auto element = [&](Expr *arm) -> Expr * {
    if (s)
      return new (ast)
          ArraySubscriptExpr(arm, const_cast<Expr *>(s->getIdx()), s->getType(),
                             VK_LValue, OK_Ordinary, s->getRBracketLoc());
    return UnaryOperator::Create(ast, arm, UO_Deref, u->getType(), VK_LValue,
                                 OK_Ordinary, u->getOperatorLoc(), false,
                                 FPOptionsOverride());
  };
  return c ? choice(c, element(c->getTrueExpr()), element(c->getFalseExpr()),
                    ast)
           : nullptr;
}

} // namespace convopt
