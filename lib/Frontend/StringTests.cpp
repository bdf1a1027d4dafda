//===- StringTests.cpp - Comparisons of strings in loops ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StringTests.h"
#include "Mentions.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

class Finder : public DynamicRecursiveASTVisitor {
public:
  explicit Finder(const std::set<const VarDecl *> &changed)
      : changed(changed) {}

  std::vector<const Expr *> found;

  bool VisitCallExpr(CallExpr *call) override {
    const bool isTest = isa<CXXOperatorCallExpr>(call)
                            ? isStringOperator(cast<CXXOperatorCallExpr>(call))
                            : isStringFunction(call);
    if (isTest &&
        all_of(call->arguments(), [&](const Expr *e) { return keepsValue(e); }))
      found.push_back(call);
    return true;
  }

private:
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
  bool keepsValue(const Expr *e) const {
    const VarDecl *v = namedVariable(e);
    return isLiteral(e) || (v && !v->hasGlobalStorage() && !changed.count(v));
  }

  const std::set<const VarDecl *> &changed;
};

} // namespace

std::vector<const Expr *>
stringTests(const Stmt *loops, const std::set<const VarDecl *> &changed) {
  const Mentions of = mentionsOf(loops);
  if (any_of(of.stored, [](QualType type) {
        return type->isAnyCharacterType() || type->isDependentType();
      }))
    return {};
  Finder finder(changed);
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
