//===- Mentions.h - What a part of a function mentions ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_MENTIONS_H
#define CONVOPT_LIB_FRONTEND_MENTIONS_H

#include "ReadOnly.h"
#include "VariableUse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"

namespace convopt {

/// The variable, a part of which is \p e.
inline const clang::VarDecl *partOf(const clang::Expr *e) {
  e = e->IgnoreParens();
  if (const auto *m = llvm::dyn_cast<clang::MemberExpr>(e))
    return m->isArrow() ? nullptr : partOf(m->getBase());
  if (const auto *s = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const clang::Expr *base = s->getBase()->IgnoreParens();
    const auto *decay = llvm::dyn_cast<clang::ImplicitCastExpr>(base);
    return decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay
               ? partOf(decay->getSubExpr())
               : nullptr;
  }
  return namedVariable(e);
}

/// Whether a subscript is a constant.
inline bool isConstantSubscript(const clang::Expr *e,
                                const clang::ASTContext &ast) {
  const clang::VarDecl *v = namedVariable(e);
  return e->isValueDependent() || (v && v->getType().isConstQualified()) ||
         e->isEvaluatable(ast);
}

/// The parameters that are constants in functions which are visited for their
/// calls.
class ConstantArguments {
public:
  bool isConstant(const clang::Expr *e, const clang::ASTContext &ast) const {
    const auto *b =
        llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    if (b && !b->isAssignmentOp())
      return isConstant(b->getLHS(), ast) && isConstant(b->getRHS(), ast);
    return parameters.count(namedVariable(e)) || isConstantSubscript(e, ast);
  }
  /// Runs \p visit for \p callee, unless it did so with the same constants.
  template <class F>
  bool enter(clang::CallExpr *call, const clang::FunctionDecl *callee,
             F visit) {
    std::set<const clang::VarDecl *> inside = parameters, constants;
    const auto changed = VariableUse::assignedIn(callee->getBody());
    for (auto [p, value] : argumentsOf(call, callee)) {
      inside.erase(p);
      if (isConstant(value, callee->getASTContext()) && !changed.count(p))
        constants.insert(p);
    }
    inside.insert(constants.begin(), constants.end());
    if (!entered.emplace(callee, std::move(constants)).second)
      return true;
    std::swap(parameters, inside);
    const bool goesOn = visit();
    std::swap(parameters, inside);
    return goesOn;
  }

private:
  std::set<const clang::VarDecl *> parameters;
  std::set<
      std::pair<const clang::FunctionDecl *, std::set<const clang::VarDecl *>>>
      entered;
};

/// What a part of a function mentions, in the order of the text.
class Mentions : public clang::DynamicRecursiveASTVisitor {
public:
  std::vector<const clang::DeclRefExpr *> variables;
  std::set<const clang::VarDecl *> declared;
  std::set<const clang::DeclRefExpr *> loaded;   // read, and nothing else
  std::set<const clang::DeclRefExpr *> targets;  // assigned
  std::set<const clang::VarDecl *> bound;        // have a reference to them
  std::vector<clang::QualType> stored;           // types of what is written
  std::set<const clang::VarDecl *> changedParts; // variables with such parts
  std::set<const clang::Stmt *> skipped;         // parts that do not count
  const clang::Stmt *exit = nullptr;
  const clang::Expr *sizeOfArray = nullptr;

  bool VisitVarDecl(clang::VarDecl *v) override {
    declared.insert(v);
    if (v->getType()->isReferenceType() && v->hasInit())
      if (const clang::VarDecl *other = partOf(v->getInit()->IgnoreImpCasts()))
        bound.insert(other);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *ref) override {
    const auto *v = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    if (v && (v->isLocalVarDecl() || llvm::isa<clang::ParmVarDecl>(v)))
      variables.push_back(ref);
    if (isType)
      loaded.insert(ref);
    return true;
  }
  // What only has its type asked for, as by `typeof(n)` and `sizeof n`.
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc of,
                                 bool qualifier) override {
    llvm::SaveAndRestore asked(isType, true);
    return clang::DynamicRecursiveASTVisitor::TraverseTypeOfExprTypeLoc(
        of, qualifier);
  }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc of,
                               bool qualifier) override {
    llvm::SaveAndRestore asked(isType, true);
    return clang::DynamicRecursiveASTVisitor::TraverseDecltypeTypeLoc(
        of, qualifier);
  }
  bool TraverseUnaryExprOrTypeTraitExpr(
      clang::UnaryExprOrTypeTraitExpr *e) override {
    llvm::SaveAndRestore asked(isType, true);
    return clang::DynamicRecursiveASTVisitor::TraverseUnaryExprOrTypeTraitExpr(
        e);
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      load(cast->getSubExpr());
    return true;
  }
  // An extent as it is written has no conversion.
  bool VisitVariableArrayTypeLoc(clang::VariableArrayTypeLoc l) override {
    load(l.getSizeExpr());
    return true;
  }
  bool TraverseStmt(clang::Stmt *s) override {
    return skipped.count(s) ||
           clang::DynamicRecursiveASTVisitor::TraverseStmt(s);
  }
  // The form that a list is written in has no conversions.
  bool TraverseInitListExpr(clang::InitListExpr *list) override {
    if (clang::InitListExpr *converted = list->getSemanticForm())
      list = converted;
    return llvm::all_of(list->children(),
                        [&](clang::Stmt *s) { return TraverseStmt(s); });
  }
  bool VisitStmt(clang::Stmt *s) override {
    if (const clang::Expr *target = assignedBy(s)) {
      targets.insert(
          llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens()));
      stored.push_back(target->getType().getCanonicalType());
      changedParts.insert(partOf(target));
    }
    if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt,
                  clang::LabelStmt, clang::AsmStmt, clang::CoreturnStmt>(s))
      exit = exit ? exit : s;
    return true;
  }
  // A lambda's own statements leave the lambda.
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override {
    const clang::Stmt *before = exit;
    bool goesOn = clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
    exit = before;
    return goesOn;
  }
  bool
  VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *e) override {
    if (!e->isArgumentType() && e->getArgumentExpr()->getType()->isArrayType())
      sizeOfArray = e;
    return true;
  }

private:
  // In C++ `c ? a : b` is a variable, too, and `std::min(a, b)` is; one that is
  // constant is so of both.
  void load(const clang::Expr *e) {
    e = e->IgnoreParens();
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e);
        cast && cast->getCastKind() == clang::CK_NoOp)
      e = cast->getSubExpr()->IgnoreParens();
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(e))
      loaded.insert(ref);
    if (const auto *c = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
      load(c->getTrueExpr());
      load(c->getFalseExpr());
    }
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e))
      if (const PureCallee callee = pureCallee(call);
          callee.isPure || (callee.isStd && callee.name == "clamp"))
        for (const clang::Expr *argument : call->arguments())
          load(argument->IgnoreImpCasts());
  }

  bool isType = false;
};

/// What \p s mentions; nothing where it is null.
inline Mentions mentionsOf(const clang::Stmt *s) {
  Mentions m;
  m.TraverseStmt(const_cast<clang::Stmt *>(s));
  return m;
}

/// What the extents of arrays in \p type mention, where it is declared.
inline Mentions extentsOf(clang::QualType type) {
  if (const auto *decayed = type->getAs<clang::DecayedType>())
    type = decayed->getOriginalType();
  Mentions m;
  m.TraverseType(type.getCanonicalType());
  return m;
}

/// Whether \p s, which may be null, mentions \p v, a variable of the function.
inline bool mentions(const clang::Stmt *s, const clang::VarDecl *v) {
  return llvm::any_of(
      mentionsOf(s).variables,
      [&](const clang::DeclRefExpr *ref) { return ref->getDecl() == v; });
}

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_MENTIONS_H
