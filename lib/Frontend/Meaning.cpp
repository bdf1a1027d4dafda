//===- Meaning.cpp - What the text of statements means --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Meaning.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

class Meanings : public DynamicRecursiveASTVisitor {
public:
  Meanings(const ASTContext &ast,
           const std::map<const Stmt *, std::string> &named)
      : sm(ast.getSourceManager()), named(named) {}

  std::vector<Meaning> all;

  bool TraverseStmt(Stmt *s) override {
    auto it = named.find(s);
    if (it == named.end())
      return DynamicRecursiveASTVisitor::TraverseStmt(s);
    add(it->second, s->getSourceRange());
    return true;
  }
  // A variable of the function that the statements move to.
  bool TraverseSubstNonTypeTemplateParmExpr(
      SubstNonTypeTemplateParmExpr *e) override {
    add(e->getParameter()->getNameAsString(), e->getSourceRange());
    return true;
  }
  bool VisitVarDecl(VarDecl *v) override {
    add(v->getNameAsString(), v->getSourceRange());
    note(v->getType(), v->getSourceRange());
    return true;
  }
  // `__func__` in an assertion.
  bool TraversePredefinedExpr(PredefinedExpr *e) override {
    add("function", e->getSourceRange());
    return true;
  }
  bool VisitStmt(Stmt *s) override {
    const clang::SourceRange at = s->getSourceRange();
    TypeSwitch<Stmt *>(s)
        .Case([&](DeclRefExpr *e) { note(e->getDecl(), at); })
        .Case([&](MemberExpr *e) {
          if (isa<CXXThisExpr>(e->getBase()->IgnoreParenImpCasts()) &&
              isa<FieldDecl>(e->getMemberDecl()))
            add(e->getMemberDecl()->getNameAsString(), at);
          else
            note(e->getMemberDecl(), at);
        })
        .Case([&](CXXConstructExpr *e) { note(e->getConstructor(), at); })
        .Case([&](ExplicitCastExpr *e) { note(e->getType(), at); })
        .Case([&](UnaryExprOrTypeTraitExpr *e) {
          note(e->getTypeOfArgument(), at);
        })
        .Case([&](IntegerLiteral *e) {
          // `__LINE__`, which is where it was but for the text before.
          if (sm.isWrittenInScratchSpace(sm.getSpellingLoc(e->getLocation())))
            return;
          SmallString<32> value;
          e->getValue().toStringUnsigned(value);
          add(value.str(), at);
          note(e->getType(), at);
        })
        .Case([&](FloatingLiteral *e) {
          SmallString<32> value;
          e->getValue().toString(value);
          add(value.str(), at);
          note(e->getType(), at);
        })
        .Case([&](CharacterLiteral *e) {
          add(std::to_string(e->getValue()), at);
        })
        .Case([&](CXXBoolLiteralExpr *e) {
          add(e->getValue() ? "true" : "false", at);
        })
        .Case([&](clang::StringLiteral *e) { add(e->getBytes(), at); })
        .Case([&](BinaryOperator *e) { add(e->getOpcodeStr(), at); })
        .Case([&](UnaryOperator *e) {
          add(UnaryOperator::getOpcodeStr(e->getOpcode()), at);
        })
        .Default([&](Stmt *other) {
          if (!isa<Expr, NullStmt>(other))
            add(other->getStmtClassName(), at);
        });
    return true;
  }
  // An instance has no more of it than the branch that is taken.
  bool TraverseIfStmt(IfStmt *s) override {
    if (!s->isConstexpr())
      return DynamicRecursiveASTVisitor::TraverseIfStmt(s);
    const Expr *condition = s->getCond();
    const bool holds = isa<ConstantExpr>(condition) &&
                       cast<ConstantExpr>(condition)->getResultAsAPSInt() != 0;
    Stmt *live = holds ? s->getThen() : s->getElse();
    return !live || TraverseStmt(live);
  }

private:
  const SourceManager &sm;
  const std::map<const Stmt *, std::string> named;

  void add(StringRef what, clang::SourceRange where) {
    all.push_back({what.str(), where});
  }
  /// A type as all places of the text know it; one without a name has a place.
  void note(QualType type, clang::SourceRange where) {
    std::string text =
        type.getCanonicalType().getUnqualifiedType().getAsString();
    const size_t place = text.find(" at ");
    add(place == std::string::npos ? text : "unnamed", where);
  }
  void note(const ValueDecl *d, clang::SourceRange where) {
    const auto *method = dyn_cast<CXXMethodDecl>(d);
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
meaningsOf(const ASTContext &ast, ArrayRef<const Stmt *> statements,
           const std::map<const Stmt *, std::string> &named) {
  Meanings meanings(ast, named);
  for (const Stmt *s : statements)
    meanings.TraverseStmt(const_cast<Stmt *>(s));
  return std::move(meanings.all);
}

std::vector<Meaning> meaningsOf(const FunctionDecl *f) {
  Meanings meanings(f->getASTContext(), {});
  for (ParmVarDecl *p : f->parameters())
    meanings.TraverseDecl(p);
  meanings.TraverseStmt(f->getBody());
  return std::move(meanings.all);
}

/// What \p name means where \p f is declared; empty: nothing.
static DeclContext::lookup_result lookUpBeside(const FunctionDecl *f,
                                               DeclarationName name) {
  for (const DeclContext *c = f->getDeclContext(); c; c = c->getParent())
    if (auto found = c->lookup(name); !found.empty())
      return found;
  return {};
}

bool isNameBeside(const FunctionDecl *f, StringRef name) {
  return !lookUpBeside(f, &f->getASTContext().Idents.get(name)).empty();
}

bool isSeenBeside(const FunctionDecl *f, const NamedDecl *d) {
  auto hides = [&](const Decl *own) {
    const auto *named = dyn_cast<NamedDecl>(own);
    return named && named->getDeclName() == d->getDeclName();
  };
  const FunctionTemplateDecl *t = f->getDescribedFunctionTemplate();
  if (any_of(f->decls(), hides) ||
      (t && any_of(*t->getTemplateParameters(), hides)))
    return false;
  return any_of(lookUpBeside(f, d->getDeclName()), [&](const NamedDecl *other) {
    return other->getUnderlyingDecl()->getCanonicalDecl() ==
           d->getCanonicalDecl();
  });
}

} // namespace convopt
