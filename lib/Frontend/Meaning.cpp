//===- Meaning.cpp - What the text of statements means --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Meaning.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
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
  bool VisitDeclRefExpr(clang::DeclRefExpr *e) override {
    note(e->getDecl(), e->getSourceRange());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *e) override {
    if (isa<clang::CXXThisExpr>(e->getBase()->IgnoreParenImpCasts()) &&
        isa<clang::FieldDecl>(e->getMemberDecl()))
      add(e->getMemberDecl()->getNameAsString(), e->getSourceRange());
    else
      note(e->getMemberDecl(), e->getSourceRange());
    return true;
  }
  // A variable of the function that the statements move to.
  bool TraverseSubstNonTypeTemplateParmExpr(
      clang::SubstNonTypeTemplateParmExpr *e) override {
    add(e->getParameter()->getNameAsString(), e->getSourceRange());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *e) override {
    note(e->getConstructor(), e->getSourceRange());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *v) override {
    add(v->getNameAsString(), v->getSourceRange());
    note(v->getType(), v->getSourceRange());
    return true;
  }
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr *e) override {
    note(e->getType(), e->getSourceRange());
    return true;
  }
  bool
  VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *e) override {
    note(e->getTypeOfArgument(), e->getSourceRange());
    return true;
  }
  bool VisitIntegerLiteral(clang::IntegerLiteral *e) override {
    // `__LINE__`, which is where it was but for the text before.
    if (sm.isWrittenInScratchSpace(sm.getSpellingLoc(e->getLocation())))
      return true;
    SmallString<32> value;
    e->getValue().toStringUnsigned(value);
    add(value.str(), e->getSourceRange());
    note(e->getType(), e->getSourceRange());
    return true;
  }
  bool VisitFloatingLiteral(clang::FloatingLiteral *e) override {
    SmallString<32> value;
    e->getValue().toString(value);
    add(value.str(), e->getSourceRange());
    note(e->getType(), e->getSourceRange());
    return true;
  }
  bool VisitCharacterLiteral(clang::CharacterLiteral *e) override {
    add(std::to_string(e->getValue()), e->getSourceRange());
    return true;
  }
  bool VisitCXXBoolLiteralExpr(clang::CXXBoolLiteralExpr *e) override {
    add(e->getValue() ? "true" : "false", e->getSourceRange());
    return true;
  }
  // `__func__` in an assertion.
  bool TraversePredefinedExpr(clang::PredefinedExpr *e) override {
    add("function", e->getSourceRange());
    return true;
  }
  bool VisitStringLiteral(clang::StringLiteral *e) override {
    add(e->getBytes(), e->getSourceRange());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *e) override {
    add(e->getOpcodeStr(), e->getSourceRange());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *e) override {
    add(clang::UnaryOperator::getOpcodeStr(e->getOpcode()),
        e->getSourceRange());
    return true;
  }
  bool VisitStmt(clang::Stmt *s) override {
    if (!isa<clang::Expr, clang::NullStmt>(s))
      add(s->getStmtClassName(), s->getSourceRange());
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

bool isSeenBeside(const clang::FunctionDecl *f, const clang::NamedDecl *d) {
  for (const clang::Decl *own : f->decls())
    if (const auto *named = dyn_cast<clang::NamedDecl>(own);
        named && named->getDeclName() == d->getDeclName())
      return false;
  for (const clang::DeclContext *c = f->getDeclContext(); c;
       c = c->getParent()) {
    clang::DeclContext::lookup_result found = c->lookup(d->getDeclName());
    if (!found.empty())
      return any_of(found, [&](const clang::NamedDecl *other) {
        return other->getUnderlyingDecl()->getCanonicalDecl() ==
               d->getCanonicalDecl();
      });
  }
  return false;
}

} // namespace convopt
