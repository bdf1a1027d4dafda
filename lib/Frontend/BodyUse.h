//===- BodyUse.h - What a body uses that is to move -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_BODYUSE_H
#define CONVOPT_LIB_FRONTEND_BODYUSE_H

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include <set>

namespace convopt {

/// What a method's body does with its object.
class ObjectUse : public clang::DynamicRecursiveASTVisitor {
public:
  std::vector<const clang::FieldDecl *> fields; // in the order of the text
  std::set<const clang::FieldDecl *> changed;   // or perhaps
  std::vector<clang::SourceRange> written;      // `this->`
  std::set<std::string> names;                  // of variables
  /// The methods that it calls of its object or of no object, each after those
  /// that it calls itself, and the constants of its class by name alone.
  std::vector<const clang::CXXMethodDecl *> methods;
  std::vector<const clang::VarDecl *> constants;
  const clang::Expr *other = nullptr;           // no field, or its size
  clang::SourceRange member;                    // of the class, unqualified

  bool VisitMemberExpr(clang::MemberExpr *m) override {
    const auto *self =
        llvm::dyn_cast<clang::CXXThisExpr>(m->getBase()->IgnoreParenImpCasts());
    const auto *f = llvm::dyn_cast<clang::FieldDecl>(m->getMemberDecl());
    if (!self || !f)
      return true;
    seen.insert(self);
    if (!llvm::is_contained(fields, f))
      fields.push_back(f);
    if (!self->isImplicit())
      written.emplace_back(self->getBeginLoc(), m->getMemberLoc());
    if (!loaded.count(m))
      changed.insert(f);
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *call) override {
    const auto *m = llvm::dyn_cast<clang::MemberExpr>(
        call->getCallee()->IgnoreParenImpCasts());
    const auto *self = m ? llvm::dyn_cast<clang::CXXThisExpr>(
                               m->getBase()->IgnoreParenImpCasts())
                         : nullptr;
    if (!self || !enter(call->getMethodDecl()))
      return true;
    seen.insert(self);
    if (!self->isImplicit())
      written.emplace_back(self->getBeginLoc(), m->getMemberLoc());
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *c) override {
    if (c->getCastKind() == clang::CK_LValueToRValue)
      loaded.insert(c->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr *e) override {
    all.push_back(e);
    return true;
  }
  bool
  VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *e) override {
    if (!e->isArgumentType())
      other = e;
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *v) override {
    names.insert(v->getNameAsString());
    return true;
  }
  // Elsewhere such a name means another, or nothing.
  bool VisitDeclRefExpr(clang::DeclRefExpr *ref) override {
    const clang::DeclContext *home = ref->getDecl()->getDeclContext();
    if (llvm::isa<clang::EnumDecl>(home))
      home = home->getParent();
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(ref->getDecl());
    if (home->isRecord() && !ref->hasQualifier() &&
        (method ? method->isStatic() && !enter(method)
                : !takeConstant(ref->getDecl())))
      member = ref->getSourceRange();
    return true;
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc l) override {
    if (l.getDecl()->getDeclContext()->isRecord() &&
        !l.getQualifierLoc().hasQualifier())
      member = l.getSourceRange();
    return true;
  }
  void finish() {
    for (const clang::CXXThisExpr *e : all)
      if (!seen.count(e))
        other = e;
    llvm::sort(written, [](clang::SourceRange a, clang::SourceRange b) {
      return a.getBegin() < b.getBegin();
    });
  }

private:
  /// Whether \p m, which is called, can be a lambda of the function.
  bool enter(const clang::CXXMethodDecl *m) {
    const clang::FunctionDecl *definition = nullptr;
    if (!m || m->isVirtual() || m->getPrimaryTemplate() ||
        !m->getIdentifier() || !m->hasBody(definition) ||
        !llvm::isa<clang::CompoundStmt>(definition->getBody()))
      return false;
    m = llvm::cast<clang::CXXMethodDecl>(definition);
    if (llvm::is_contained(methods, m))
      return true;
    if (!entered.insert(m->getName()).second) // recursion, or an overload
      return false;
    const size_t before = written.size();
    TraverseStmt(m->getBody());
    // `this->n` is the field, and `n` would be the parameter.
    if (written.size() != before)
      for (const clang::ParmVarDecl *p : m->parameters())
        names.insert(p->getNameAsString());
    methods.push_back(m);
    return true;
  }
  bool takeConstant(const clang::ValueDecl *d) {
    const auto *v = llvm::dyn_cast<clang::VarDecl>(d);
    if (!v || !v->isStaticDataMember() || !v->getType().isConstQualified() ||
        !v->getType()->isIntegerType() || !v->evaluateValue())
      return false;
    if (!llvm::is_contained(constants, v))
      constants.push_back(v);
    return true;
  }

  std::set<const clang::Expr *> loaded, seen;
  std::vector<const clang::CXXThisExpr *> all;
  std::set<llvm::StringRef> entered; // methods, by name
};

/// What statements name that is not known at another place of the text: what is
/// declared within a function, or elsewhere after it, and macros.
class Names : public clang::DynamicRecursiveASTVisitor {
public:
  /// The place is after \p sibling, or later in what holds that.
  Names(const clang::Decl *sibling, clang::SourceRange own)
      : sm(sibling->getASTContext().getSourceManager()), sibling(sibling),
        last(sibling), own(sm.getExpansionLoc(own.getBegin()),
                           sm.getExpansionLoc(own.getEnd())) {}

  const clang::NamedDecl *unknown = nullptr;
  clang::SourceRange where, macro;

  /// What the place has to be after.
  const clang::Decl *after() const { return last; }

  bool VisitDeclRefExpr(clang::DeclRefExpr *ref) override {
    return note(ref->getDecl(), ref->getSourceRange());
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc l) override {
    return note(l.getDecl(), l.getSourceRange());
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc l) override {
    return note(l.getDecl(), l.getSourceRange());
  }
  bool VisitStmt(clang::Stmt *s) override {
    if (s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
      macro = s->getSourceRange();
    return true;
  }

  bool note(const clang::NamedDecl *d, clang::SourceRange where) {
    const clang::SourceLocation at = sm.getExpansionLoc(d->getLocation());
    const auto *m = llvm::dyn_cast<clang::CXXMethodDecl>(d);
    if ((own.getBegin() <= at && at <= own.getEnd()) ||
        (m && m->getParent()->isLambda()))
      return true;
    const clang::Decl *around = d;
    while (around &&
           around->getLexicalDeclContext() != sibling->getLexicalDeclContext())
      around =
          llvm::dyn_cast_or_null<clang::Decl>(around->getLexicalDeclContext());
    const bool isLater = sm.isInMainFile(at) &&
                         sm.isBeforeInTranslationUnit(sibling->getEndLoc(), at);
    if (d->getParentFunctionOrMethod() || (isLater && !around)) {
      unknown = d;
      this->where = where;
    } else if (isLater && sm.isBeforeInTranslationUnit(last->getEndLoc(),
                                                       around->getEndLoc())) {
      last = around;
    }
    return true;
  }

private:
  const clang::SourceManager &sm;
  const clang::Decl *sibling, *last;
  clang::SourceRange own; // of what names
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_BODYUSE_H
