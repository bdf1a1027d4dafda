//===- VariableUse.cpp - What a function does with its variables ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VariableUse.h"
#include "ReadOnly.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include <functional>

using namespace clang;

namespace convopt {

const VarDecl *namedVariable(const Expr *e) {
  const auto *ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

const Expr *assignedBy(const Stmt *s) {
  if (const auto *b = dyn_cast<BinaryOperator>(s))
    return b->isAssignmentOp() ? b->getLHS() : nullptr;
  if (const auto *u = dyn_cast<UnaryOperator>(s))
    return u->isIncrementDecrementOp() ? u->getSubExpr() : nullptr;
  // Within a template, where a name of some operator is in scope.
  const auto *o = dyn_cast<CXXOperatorCallExpr>(s);
  return o && o->isAssignmentOp() ? o->getArg(0) : nullptr;
}

/// The variable that \p e names, or that it names with a `*` before.
static const VarDecl *namedTarget(const Expr *e) {
  const auto *u = dyn_cast<UnaryOperator>(e->IgnoreParenImpCasts());
  return namedVariable(u && u->getOpcode() == UO_Deref ? u->getSubExpr() : e);
}

/// The variable that \p e gives a call, by its address or as a reference.
static const VarDecl *passedVariable(const Expr *e) {
  const auto *u = dyn_cast<UnaryOperator>(e->IgnoreParenImpCasts());
  return namedVariable(u && u->getOpcode() == UO_AddrOf ? u->getSubExpr() : e);
}

namespace {

/// What a function returns, those within it apart.
class Returned : public RecursiveASTVisitor<Returned> {
public:
  std::vector<Expr *> values;

  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool VisitReturnStmt(ReturnStmt *r) {
    if (Expr *value = r->getRetValue())
      values.push_back(value);
    return true;
  }
};

/// Does a value come from memory, or from a variable that is data?
class ReadsData : public RecursiveASTVisitor<ReadsData> {
public:
  using Aliases = std::map<const VarDecl *, std::set<const VarDecl *>>;

  ReadsData(const std::set<const VarDecl *> &data, const Aliases &aliases)
      : data(data), aliases(aliases) {}

  bool found = false;

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *) { return !(found = true); }
  // Of a function that is seen, what it returns counts.
  bool TraverseCallExpr(CallExpr *call) {
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee)
      return RecursiveASTVisitor::TraverseCallExpr(call);
    if (!entered.insert(callee).second)
      return true;
    Returned returned;
    returned.TraverseStmt(callee->getBody());
    for (Expr *value : returned.values)
      if (!TraverseStmt(value))
        return false;
    return true;
  }
  bool TraverseCXXOperatorCallExpr(CXXOperatorCallExpr *o) {
    return visibleDefinition(o) ? TraverseCallExpr(o) : !(found = true);
  }
  bool VisitUnaryOperator(UnaryOperator *u) {
    const VarDecl *v = namedTarget(u);
    return u->getOpcode() != UO_Deref || (v && aliases.count(v)) ||
           !(found = true);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    return !v || !data.count(v) || !(found = true);
  }

private:
  const std::set<const VarDecl *> &data;
  const Aliases &aliases;
  std::set<const FunctionDecl *> entered;
};

} // namespace

class VariableUse::Visitor : public RecursiveASTVisitor<Visitor> {
public:
  explicit Visitor(VariableUse &use) : use(use) {}

  /// An assignment to a variable, or through a pointer to one.
  struct Write {
    const VarDecl *variable;
    bool isTarget;
    Expr *value; // null: it updates what is there
  };

  std::vector<std::pair<const VarDecl *, Expr *>> values;
  std::vector<Write> writes;
  /// What parameters and references are other names of, or point at.
  std::map<const VarDecl *, std::set<const VarDecl *>> aliases;

  bool VisitForStmt(ForStmt *f) {
    headers.insert(f->getInit());
    if (Expr *step = f->getInc())
      headers.insert(step->IgnoreParens());
    return true;
  }
  bool VisitVarDecl(VarDecl *v) {
    Expr *init = v->getInit();
    if (init)
      values.emplace_back(v, init);
    if (init && v->getType()->isReferenceType())
      if (const VarDecl *other = namedTarget(init))
        aliases[v].insert(other);
    return true;
  }
  bool VisitStmt(Stmt *s) {
    const auto *b = dyn_cast<BinaryOperator>(s);
    if (const Expr *target = assignedBy(s); target && !headers.count(s))
      write(target, b && b->getOpcode() == BO_Assign ? b->getRHS() : nullptr);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *u) {
    const VarDecl *v = namedVariable(u->getSubExpr());
    if (v && u->getOpcode() == UO_AddrOf && !passed.count(u))
      use.addressTaken.insert(v);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee)
      return true;
    for (auto [p, argument] : argumentsOf(call, callee)) {
      QualType type = p->getType();
      if (type.getNonReferenceType()->isArithmeticType())
        values.emplace_back(p, argument);
      const VarDecl *other = passedVariable(argument);
      if (!other || !(type->isPointerType() || type->isReferenceType()))
        continue;
      aliases[p].insert(other);
      passed.insert(argument->IgnoreParenImpCasts());
    }
    // The body of a lambda is part of the function's.
    return isLambda(callee) || !entered.insert(callee).second ||
           TraverseStmt(callee->getBody());
  }

private:
  void write(const Expr *target, Expr *value) {
    target = target->IgnoreParenImpCasts();
    if (const VarDecl *v = namedTarget(target))
      writes.push_back({v, isa<UnaryOperator>(target), value});
  }

  VariableUse &use;
  std::set<const Stmt *> headers; // the parts of `for` headers
  std::set<const Stmt *> passed;  // addresses that a call takes
  std::set<const FunctionDecl *> entered;
};

VariableUse::VariableUse(const Stmt *body) {
  Visitor visitor(*this);
  visitor.TraverseStmt(const_cast<Stmt *>(body));
  for (const Visitor::Write &w : visitor.writes) {
    std::set<const VarDecl *> targets;
    std::function<void(const VarDecl *)> reach = [&](const VarDecl *v) {
      for (const VarDecl *other : visitor.aliases[v])
        if (targets.insert(other).second)
          reach(other);
    };
    reach(w.variable);
    if (!w.isTarget)
      targets.insert(w.variable);
    for (const VarDecl *v : targets) {
      // Of pointers, only what they point at is written.
      if (w.isTarget && v->getType()->isPointerType())
        continue;
      ++assigned[v];
      if (w.value)
        visitor.values.emplace_back(v, w.value);
      else
        data.insert(v);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto &[v, others] : visitor.aliases)
      for (const VarDecl *other : others)
        if (data.count(other))
          changed |= data.insert(v).second;
    for (auto [v, value] : visitor.values) {
      if (data.count(v))
        continue;
      ReadsData reads(data, visitor.aliases);
      reads.TraverseStmt(value);
      if (reads.found || !v->getType().getNonReferenceType()->isIntegerType())
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

  bool VisitStmt(Stmt *s) {
    const Expr *target = assignedBy(s);
    if (const VarDecl *v = target ? namedVariable(target) : nullptr)
      all.insert(v);
    return true;
  }
  bool VisitVarDecl(VarDecl *v) {
    if (v->getType()->isReferenceType() && v->getInit())
      if (const VarDecl *other = namedTarget(v->getInit()))
        all.insert(other);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee)
      return true;
    for (auto [p, argument] : argumentsOf(call, callee)) {
      QualType type = p->getType();
      const VarDecl *v = passedVariable(argument);
      bool isGiven =
          type->isReferenceType() ||
          (v && type->isPointerType() && !v->getType()->isPointerType());
      if (v && isGiven && !type->getPointeeType().isConstQualified())
        all.insert(v);
    }
    return !isLambda(callee) || !entered.insert(callee).second ||
           TraverseStmt(callee->getBody());
  }

private:
  std::set<const FunctionDecl *> entered;
};

} // namespace

std::set<const VarDecl *> VariableUse::assignedIn(const Stmt *s) {
  Assignments assignments;
  assignments.TraverseStmt(const_cast<Stmt *>(s));
  return assignments.all;
}

} // namespace convopt
