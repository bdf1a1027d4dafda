//===- VariableUse.cpp - What a function does with its variables ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VariableUse.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace convopt {

const VarDecl *namedVariable(const Expr *e) {
  const auto *ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

namespace {

/// Does a value come from memory, or from a variable that is data?
class ReadsData : public RecursiveASTVisitor<ReadsData> {
public:
  explicit ReadsData(const std::set<const VarDecl *> &data) : data(data) {}

  bool found = false;

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *) { return !(found = true); }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *) {
    return !(found = true);
  }
  bool VisitUnaryOperator(UnaryOperator *u) {
    return u->getOpcode() != UO_Deref || !(found = true);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    return !v || !data.count(v) || !(found = true);
  }

private:
  const std::set<const VarDecl *> &data;
};

} // namespace

class VariableUse::Visitor : public RecursiveASTVisitor<Visitor> {
public:
  explicit Visitor(VariableUse &use) : use(use) {}

  std::vector<std::pair<const VarDecl *, Expr *>> values;
  std::set<const Stmt *> headers; // the parts of `for` headers

  bool VisitForStmt(ForStmt *f) {
    headers.insert(f->getInit());
    if (Expr *step = f->getInc())
      headers.insert(step->IgnoreParens());
    return true;
  }
  bool VisitVarDecl(VarDecl *v) {
    if (Expr *init = v->getInit())
      values.emplace_back(v, init);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *b) {
    const VarDecl *v =
        b->isAssignmentOp() ? namedVariable(b->getLHS()) : nullptr;
    if (!v || headers.count(b))
      return true;
    ++use.assigned[v];
    if (b->isCompoundAssignmentOp())
      use.data.insert(v);
    else
      values.emplace_back(v, b->getRHS());
    return true;
  }
  // Within a template, where a name of some operator is in scope.
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *o) {
    const VarDecl *v =
        o->isAssignmentOp() ? namedVariable(o->getArg(0)) : nullptr;
    if (!v || headers.count(o))
      return true;
    ++use.assigned[v];
    use.data.insert(v);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *u) {
    const VarDecl *v = namedVariable(u->getSubExpr());
    if (v && u->getOpcode() == UO_AddrOf)
      use.addressTaken.insert(v);
    if (v && u->isIncrementDecrementOp() && !headers.count(u)) {
      ++use.assigned[v];
      use.data.insert(v);
    }
    return true;
  }

private:
  VariableUse &use;
};

VariableUse::VariableUse(const Stmt *body) {
  Visitor visitor(*this);
  visitor.TraverseStmt(const_cast<Stmt *>(body));
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [v, value] : visitor.values) {
      if (data.count(v))
        continue;
      ReadsData reads(data);
      reads.TraverseStmt(value);
      if (reads.found || !v->getType()->isIntegerType())
        changed |= data.insert(v).second;
    }
  }
}

unsigned VariableUse::assignments(const VarDecl *v) const {
  auto it = assigned.find(v);
  return it == assigned.end() ? 0 : it->second;
}

namespace {

class Assignments : public RecursiveASTVisitor<Assignments> {
public:
  std::set<const VarDecl *> all;

  bool VisitBinaryOperator(BinaryOperator *b) {
    if (b->isAssignmentOp())
      if (const VarDecl *v = namedVariable(b->getLHS()))
        all.insert(v);
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *o) {
    if (o->isAssignmentOp())
      if (const VarDecl *v = namedVariable(o->getArg(0)))
        all.insert(v);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *u) {
    if (u->isIncrementDecrementOp())
      if (const VarDecl *v = namedVariable(u->getSubExpr()))
        all.insert(v);
    return true;
  }
};

} // namespace

std::set<const VarDecl *> VariableUse::assignedIn(const Stmt *s) {
  Assignments assignments;
  assignments.TraverseStmt(const_cast<Stmt *>(s));
  return assignments.all;
}

} // namespace convopt
