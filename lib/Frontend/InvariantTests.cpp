//===- InvariantTests.cpp - Comparisons that stay in loops ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopVariables.h"
#include "Mentions.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

class Finder : public DynamicRecursiveASTVisitor {
public:
  Finder(ASTContext &ast, bool ofStrings,
         std::function<bool(const VarDecl *)> keepsValue)
      : ast(ast), ofStrings(ofStrings), keepsValue(std::move(keepsValue)) {}

  std::vector<const Expr *> found;

  bool VisitCallExpr(CallExpr *call) override {
    const bool isTest = isa<CXXOperatorCallExpr>(call)
                            ? isStringOperator(cast<CXXOperatorCallExpr>(call))
                            : isStringFunction(call);
    if (ofStrings && isTest && all_of(call->arguments(), [&](const Expr *e) {
          return isLiteral(e) || isKept(namedVariable(e));
        }))
      found.push_back(call);
    return true;
  }
  bool VisitIfStmt(IfStmt *s) override {
    addNumberTests(s->getCond());
    return true;
  }

private:
  /// Those that \p e, a condition, consists of.
  void addNumberTests(const Expr *e) {
    e = e->IgnoreParenImpCasts();
    if (const auto *u = dyn_cast<UnaryOperator>(e);
        u && u->getOpcode() == UO_LNot)
      return addNumberTests(u->getSubExpr());
    const auto *b = dyn_cast<BinaryOperator>(e);
    if (b && b->isLogicalOp()) {
      addNumberTests(b->getLHS());
      addNumberTests(b->getRHS());
    } else if (b && b->isComparisonOp() && isKeptNumber(b->getLHS()) &&
               isKeptNumber(b->getRHS()) &&
               Lexer::makeFileCharRange(
                   CharSourceRange::getTokenRange(b->getSourceRange()),
                   ast.getSourceManager(), ast.getLangOpts())
                   .isValid())
      found.push_back(b);
  }
  /// Arithmetic of floating point on literals and variables, which may be
  /// evaluated where no loop runs.
  bool isKeptNumber(const Expr *e) const {
    if (!e->getType()->isRealFloatingType())
      return false;
    e = e->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(e)) {
      const Expr *of = cast->getSubExpr()->IgnoreParenImpCasts();
      return cast->getCastKind() == CK_IntegralToFloating
                 ? isLiteral(of) || isKept(namedVariable(of))
                 : isKeptNumber(cast->getSubExpr());
    }
    if (const auto *u = dyn_cast<UnaryOperator>(e))
      return u->isArithmeticOp() && isKeptNumber(u->getSubExpr());
    if (const auto *b = dyn_cast<BinaryOperator>(e))
      return !b->isAssignmentOp() && !b->isCommaOp() &&
             isKeptNumber(b->getLHS()) && isKeptNumber(b->getRHS());
    const auto *ref = dyn_cast<DeclRefExpr>(e);
    return isa<FloatingLiteral>(e) ||
           (ref && !ref->getDecl()->getType()->isReferenceType() &&
            isKept(namedVariable(ref)));
  }
  bool isKept(const VarDecl *v) const {
    return v && !v->hasGlobalStorage() && !v->getType().isVolatileQualified() &&
           keepsValue(v);
  }
  static bool isString(const Expr *e) {
    const auto *r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        e->IgnoreParenImpCasts()->getType()->getAsCXXRecordDecl());
    return r && r->isInStdNamespace() && r->getName() == "basic_string";
  }
  static bool isLiteral(const Expr *e) {
    return isa<clang::StringLiteral, IntegerLiteral>(e->IgnoreParenImpCasts());
  }
  static bool isStringOperator(const CXXOperatorCallExpr *o) {
    return (o->getOperator() == OO_EqualEqual ||
            o->getOperator() == OO_ExclaimEqual) &&
           all_of(o->arguments(),
                  [](const Expr *e) { return isString(e) || isLiteral(e); });
  }
  static bool isStringFunction(const CallExpr *call) {
    const FunctionDecl *f = call->getDirectCallee();
    return f && f->getIdentifier() && !f->hasBody() &&
           is_contained({"strcmp", "strncmp", "strcasecmp", "strncasecmp"},
                        f->getName());
  }

  ASTContext &ast;
  const bool ofStrings;
  const std::function<bool(const VarDecl *)> keepsValue;
};

} // namespace

std::vector<const Expr *>
invariantTests(ASTContext &ast, const Stmt *loops,
               function_ref<bool(const VarDecl *)> keepsValue) {
  const Mentions of = mentionsOf(loops);
  const bool ofStrings = none_of(of.stored, [](QualType type) {
    return type->isAnyCharacterType() || type->isDependentType();
  });
  Finder finder(ast, ofStrings, [&](const VarDecl *v) {
    return !of.declared.count(v) && keepsValue(v);
  });
  finder.TraverseStmt(const_cast<Stmt *>(loops));
  return std::move(finder.found);
}

std::vector<const VarDecl *> pointersOf(const Expr *test) {
  std::vector<const VarDecl *> all;
  const Mentions of = mentionsOf(test);
  for (const DeclRefExpr *ref : of.variables) {
    const auto *v = cast<VarDecl>(ref->getDecl());
    if (v->getType()->isPointerType() && !is_contained(all, v))
      all.push_back(v);
  }
  return all;
}

} // namespace convopt
