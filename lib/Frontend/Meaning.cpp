//===- Meaning.cpp - What the text of statements means --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Meaning.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt {
namespace {

class Meanings : public clang::DynamicRecursiveASTVisitor {
public:
  Meanings(const clang::ASTContext &ast,
           const std::map<const clang::Stmt *, std::string> &named)
      : sm(ast.getSourceManager()), named(named) {}

  std::vector<Meaning> all;

  bool TraverseStmt(clang::Stmt *s) override {
    auto it = named.find(s);
    if (it == named.end())
      return clang::DynamicRecursiveASTVisitor::TraverseStmt(s);
    add(it->second, s->getSourceRange());
    return true;
  }
  // A variable of the function that the statements move to.
  bool TraverseSubstNonTypeTemplateParmExpr(
      clang::SubstNonTypeTemplateParmExpr *e) override {
    add(e->getParameter()->getNameAsString(), e->getSourceRange());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *v) override {
    add(v->getNameAsString(), v->getSourceRange());
    note(v->getType(), v->getSourceRange());
    return true;
  }
  // `__func__` in an assertion.
  bool TraversePredefinedExpr(clang::PredefinedExpr *e) override {
    add("function", e->getSourceRange());
    return true;
  }
  bool VisitStmt(clang::Stmt *s) override {
    const clang::SourceRange at = s->getSourceRange();
    TypeSwitch<clang::Stmt *>(s)
        .Case([&](clang::DeclRefExpr *e) { note(e->getDecl(), at); })
        .Case([&](clang::MemberExpr *e) {
          if (isa<clang::CXXThisExpr>(e->getBase()->IgnoreParenImpCasts()) &&
              isa<clang::FieldDecl>(e->getMemberDecl()))
            add(e->getMemberDecl()->getNameAsString(), at);
          else
            note(e->getMemberDecl(), at);
        })
        .Case(
            [&](clang::CXXConstructExpr *e) { note(e->getConstructor(), at); })
        .Case([&](clang::ExplicitCastExpr *e) { note(e->getType(), at); })
        .Case([&](clang::UnaryExprOrTypeTraitExpr *e) {
          note(e->getTypeOfArgument(), at);
        })
        .Case([&](clang::IntegerLiteral *e) {
          // `__LINE__`, which is where it was but for the text before.
          if (sm.isWrittenInScratchSpace(sm.getSpellingLoc(e->getLocation())))
            return;
          SmallString<32> value;
          e->getValue().toStringUnsigned(value);
          add(value.str(), at);
          note(e->getType(), at);
        })
        .Case([&](clang::FloatingLiteral *e) {
          SmallString<32> value;
          e->getValue().toString(value);
          add(value.str(), at);
          note(e->getType(), at);
        })
        .Case([&](clang::CharacterLiteral *e) {
          add(std::to_string(e->getValue()), at);
        })
        .Case([&](clang::CXXBoolLiteralExpr *e) {
          add(e->getValue() ? "true" : "false", at);
        })
        .Case([&](clang::StringLiteral *e) { add(e->getBytes(), at); })
        .Case([&](clang::BinaryOperator *e) { add(e->getOpcodeStr(), at); })
        .Case([&](clang::UnaryOperator *e) {
          add(clang::UnaryOperator::getOpcodeStr(e->getOpcode()), at);
        })
        .Default([&](clang::Stmt *other) {
          if (!isa<clang::Expr, clang::NullStmt>(other))
            add(other->getStmtClassName(), at);
        });
    return true;
  }
  // An instance has no more of it than the branch that is taken.
  bool TraverseIfStmt(clang::IfStmt *s) override {
    if (!s->isConstexpr())
      return clang::DynamicRecursiveASTVisitor::TraverseIfStmt(s);
    const Expr *condition = s->getCond();
    const bool holds =
        isa<clang::ConstantExpr>(condition) &&
        cast<clang::ConstantExpr>(condition)->getResultAsAPSInt() != 0;
    clang::Stmt *live = holds ? s->getThen() : s->getElse();
    return !live || TraverseStmt(live);
  }

private:
  using Expr = clang::Expr;

  const clang::SourceManager &sm;
  const std::map<const clang::Stmt *, std::string> named;

  void add(StringRef what, clang::SourceRange where) {
    all.push_back({what.str(), where});
  }
  /// A type as all places of the text know it; one without a name has a place.
  void note(clang::QualType type, clang::SourceRange where) {
    std::string text =
        type.getCanonicalType().getUnqualifiedType().getAsString();
    const size_t place = text.find(" at ");
    add(place == std::string::npos ? text : "unnamed", where);
  }
  void note(const clang::ValueDecl *d, clang::SourceRange where) {
    const auto *method = dyn_cast<clang::CXXMethodDecl>(d);
    if (method && method->getParent()->isLambda())
      return add("lambda", where);
    if (d->getDeclContext()->isFunctionOrMethod())
      return add(d->getNameAsString(), where);
    std::string name;
    raw_string_ostream os(name);
    d->getNameForDiagnostic(os, d->getASTContext().getPrintingPolicy(),
                            /*Qualified=*/true);
    add("::" + name, where);
    note(d->getType(), where);
  }
};

} // namespace

std::vector<Meaning>
meaningsOf(const clang::ASTContext &ast,
           ArrayRef<const clang::Stmt *> statements,
           const std::map<const clang::Stmt *, std::string> &named) {
  Meanings meanings(ast, named);
  for (const clang::Stmt *s : statements)
    meanings.TraverseStmt(const_cast<clang::Stmt *>(s));
  return std::move(meanings.all);
}

std::vector<Meaning> meaningsOf(const clang::FunctionDecl *f) {
  Meanings meanings(f->getASTContext(), {});
  for (clang::ParmVarDecl *p : f->parameters())
    meanings.TraverseDecl(p);
  meanings.TraverseStmt(f->getBody());
  return std::move(meanings.all);
}

/// What \p name means where \p f is declared; empty: nothing.
static clang::DeclContext::lookup_result
lookUpBeside(const clang::FunctionDecl *f, clang::DeclarationName name) {
  for (const clang::DeclContext *c = f->getDeclContext(); c; c = c->getParent())
    if (auto found = c->lookup(name); !found.empty())
      return found;
  return {};
}

bool isNameBeside(const clang::FunctionDecl *f, StringRef name) {
  return !lookUpBeside(f, &f->getASTContext().Idents.get(name)).empty();
}

bool isSeenBeside(const clang::FunctionDecl *f, const clang::NamedDecl *d) {
  auto hides = [&](const clang::Decl *own) {
    const auto *named = dyn_cast<clang::NamedDecl>(own);
    return named && named->getDeclName() == d->getDeclName();
  };
  const clang::FunctionTemplateDecl *t = f->getDescribedFunctionTemplate();
  if (any_of(f->decls(), hides) ||
      (t && any_of(*t->getTemplateParameters(), hides)))
    return false;
  return any_of(lookUpBeside(f, d->getDeclName()),
                [&](const clang::NamedDecl *other) {
                  return other->getUnderlyingDecl()->getCanonicalDecl() ==
                         d->getCanonicalDecl();
                });
}

} // namespace convopt
