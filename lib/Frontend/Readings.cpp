//===- Readings.cpp - Where a value is read and set -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopVariables.h"
#include "VariableUse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace llvm;
using namespace clang;

namespace convopt {

bool isLoop(const Stmt *s) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(s);
}

/// Whether \p part is in \p s, or a label, by which others may enter it.
static bool holds(const Stmt *s, const Stmt *part) {
  return s && (s == part || isa<LabelStmt>(s) ||
               any_of(s->children(),
                      [&](const Stmt *child) { return holds(child, part); }));
}

namespace {
class Finder : public DynamicRecursiveASTVisitor {
public:
  Finder(const VarDecl *v, const Stmt *left) : v(v), left(left) {}

  Readings readings;

  bool TraverseStmt(Stmt *s) override {
    const auto *loop = dyn_cast_or_null<ForStmt>(s);
    if (s == left || (loop && isSet(loop->getInit())) || bodies.count(s))
      return true;
    if (s && isLoop(s))
      for (const Stmt *part : s->children())
        if (part && VariableUse::isSetFirst(part, v) && !holds(part, left))
          bodies.insert(part);
    if (isSet(s))
      return DynamicRecursiveASTVisitor::TraverseStmt(
          cast<BinaryOperator>(s)->getRHS());
    return DynamicRecursiveASTVisitor::TraverseStmt(s);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (ref->getDecl() == v)
      readings.found.push_back(ref);
    return true;
  }
  bool VisitLabelStmt(LabelStmt *) override { return readings.jumps = true; }
  bool VisitLambdaExpr(LambdaExpr *) override { return readings.jumps = true; }

private:
  bool isSet(const Stmt *s) const {
    const auto *b = dyn_cast_or_null<BinaryOperator>(s);
    return b && b->getOpcode() == BO_Assign && namedVariable(b->getLHS()) == v;
  }

  const VarDecl *v;
  const Stmt *left;
  std::set<const Stmt *> bodies; // of loops, that set it first
};
} // namespace

Readings readingsOf(const VarDecl *v, const Stmt *s, const Stmt *left) {
  Finder finder(v, left);
  finder.TraverseStmt(const_cast<Stmt *>(s));
  return std::move(finder.readings);
}

Readings readingsBefore(const VarDecl *v, const Stmt *s) {
  return VariableUse::isSetFirst(s, v) ? Readings() : readingsOf(v, s, nullptr);
}

std::vector<const Stmt *> assignmentsTo(const VarDecl *v, const Stmt *s,
                                        const Stmt *left) {
  if (!s || s == left)
    return {};
  std::vector<const Stmt *> all;
  if (const Expr *target = assignedBy(s); target && namedVariable(target) == v)
    all.push_back(s);
  for (const Stmt *child : s->children())
    append_range(all, assignmentsTo(v, child, left));
  return all;
}

bool isAddedTo(const Stmt *s, const DeclRefExpr *ref, bool isInLoop) {
  const auto *sum = dyn_cast_or_null<CompoundAssignOperator>(s);
  return (sum && isInLoop && sum->getLHS()->IgnoreParens() == ref) ||
         (s && any_of(s->children(), [&](const Stmt *child) {
            return isAddedTo(child, ref, isInLoop || isLoop(s));
          }));
}

} // namespace convopt
