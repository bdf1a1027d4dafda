//===- DeviceSizes.cpp - Sizes that a kernel's pointers lead to -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel may take its sizes by a pointer to memory of the device. Host code
/// copies each once, and it is an argument of the nest from there on. A pointer
/// to structures may as well be an array of pixels: what it is shows in how it
/// is used.
///
//===----------------------------------------------------------------------===//

#include "DeviceSizes.h"
#include "Mentions.h"
#include "ReadOnly.h"
#include "Records.h"

using namespace llvm;
using namespace clang;

namespace convopt {

namespace {

/// Counts what is done with a pointer.
class PointerUse : public DynamicRecursiveASTVisitor {
public:
  explicit PointerUse(const ParmVarDecl *p) : p(p) {}

  /// Whether all of it is to name an object at a constant.
  bool isOfObjects() const { return mentions == objects && isPassedAlike; }

  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    mentions += ref->getDecl() == p;
    return true;
  }
  bool VisitMemberExpr(MemberExpr *m) override {
    objects += m->isArrow() && namedVariable(m->getBase()) == p;
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *u) override {
    objects +=
        u->getOpcode() == UO_Deref && namedVariable(u->getSubExpr()) == p;
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *s) override {
    objects += namedVariable(s->getBase()) == p &&
               isConstantSubscript(s->getIdx(), p->getASTContext());
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee)
      return true;
    for (auto [q, argument] : argumentsOf(call, callee))
      if (namedVariable(argument) == p && q->getType()->isPointerType()) {
        ++objects;
        // What calls itself is refused when it is inlined.
        PointerUse inside(q);
        if (callee != caller) {
          inside.caller = callee;
          inside.TraverseStmt(callee->getBody());
          isPassedAlike &= inside.isOfObjects();
        }
      }
    return true;
  }

private:
  const ParmVarDecl *p;
  const FunctionDecl *caller = nullptr;
  unsigned mentions = 0, objects = 0;
  bool isPassedAlike = true;
};

} // namespace

bool leadsToSizes(const ParmVarDecl *p, const FunctionDecl *f) {
  const QualType of = p->getType()->isPointerType()
                          ? p->getType()->getPointeeType()
                          : QualType();
  const RecordDecl *record = of.isNull() ? nullptr : of->getAsRecordDecl();
  const std::optional<RecordElements> numbers =
      record ? recordElements(of) : std::nullopt;
  if (!record || !record->isCompleteDefinition() ||
      (numbers && numbers->element->isRealFloatingType()))
    return false;
  PointerUse use(p);
  use.TraverseStmt(f->getBody());
  return use.isOfObjects();
}

} // namespace convopt
