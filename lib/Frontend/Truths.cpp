//===- Truths.cpp - Variables that are true or false ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Such a variable is bound to the condition that it is, anew with each
/// assignment. What data say is no condition, and what one iteration leaves to
/// the next none that the iterators say: those variables hold data.
///
//===----------------------------------------------------------------------===//

#include "Truths.h"
#include "Mentions.h"
#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

namespace {

/// Whether a value may come from memory, or from one of some variables.
class MayReadData : public DynamicRecursiveASTVisitor {
public:
  explicit MayReadData(const std::set<const VarDecl *> &data) : data(data) {}

  bool found = false;

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *) override {
    return !(found = true);
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *) override {
    return !(found = true);
  }
  bool VisitUnaryOperator(UnaryOperator *u) override {
    return u->getOpcode() != UO_Deref || !(found = true);
  }
  bool VisitCallExpr(CallExpr *call) override {
    return none_of(call->arguments(),
                   [](const Expr *e) {
                     return !e->getType().isNull() &&
                            e->getType()->isPointerType();
                   }) ||
           !(found = true);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    const bool isData = v && (data.count(v) || v->getType()->isFloatingType());
    return !isData || !(found = true);
  }

private:
  const std::set<const VarDecl *> &data;
};

} // namespace

/// What sets each variable, and under which conditions.
class Truths::Visitor : public DynamicRecursiveASTVisitor {
public:
  struct Set {
    const VarDecl *variable;
    const Expr *value; // null where there is none
    bool mayBeTruth;   // `=`, `&=` and `|=`
    std::vector<const Expr *> conditions;
    const Stmt *loop;
  };

  std::vector<Set> sets;
  std::map<const VarDecl *, const Stmt *> loopOf; // of the declaration
  std::map<const VarDecl *, unsigned> assigned;
  /// Where each iteration of a loop sets a variable before all else.
  std::set<std::pair<const VarDecl *, const Stmt *>> anew;
  /// Variables that are mentioned outside of such loops.
  std::set<const VarDecl *> mentionedOutside;

  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    if (!v)
      return true;
    for (const Stmt *l : loops)
      mentioned.emplace(v, l);
    if (none_of(loops, [&](const Stmt *l) { return anew.count({v, l}); }))
      mentionedOutside.insert(v);
    return true;
  }
  bool VisitVarDecl(VarDecl *v) override {
    loopOf[v] = loop;
    if (v->hasInit())
      sets.push_back({v, v->getInit(), true, conditions, loop});
    return true;
  }
  bool VisitStmt(Stmt *s) override {
    const Expr *target = assignedBy(s);
    const VarDecl *v = target ? namedVariable(target) : nullptr;
    if (!v)
      return true;
    const auto *b = dyn_cast<BinaryOperator>(s);
    const bool isTruth =
        b && (b->getOpcode() == BO_Assign || b->getOpcode() == BO_AndAssign ||
              b->getOpcode() == BO_OrAssign);
    ++assigned[v];
    const bool hasValue = b && b->isAssignmentOp();
    if (isTruth && b->getOpcode() == BO_Assign &&
        conditions.size() == conditionsAround && !mentioned.count({v, loop}) &&
        !mentions(b->getRHS(), v))
      anew.emplace(v, loop);
    sets.push_back({v, hasValue ? b->getRHS() : nullptr, isTruth && !inLambda,
                    conditions, loop});
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = visibleDefinition(call);
    return !callee || isLambda(callee) || !entered.insert(callee).second ||
           TraverseStmt(callee->getBody());
  }
  bool TraverseIfStmt(IfStmt *s) override {
    return TraverseStmt(s->getCond()) && under(s->getCond(), [&] {
             return TraverseStmt(s->getThen()) && TraverseStmt(s->getElse());
           });
  }
  bool TraverseSwitchStmt(SwitchStmt *s) override {
    return TraverseStmt(s->getCond()) &&
           under(s->getCond(), [&] { return TraverseStmt(s->getBody()); });
  }
  bool TraverseConditionalOperator(ConditionalOperator *c) override {
    return TraverseStmt(c->getCond()) && under(c->getCond(), [&] {
             return TraverseStmt(c->getTrueExpr()) &&
                    TraverseStmt(c->getFalseExpr());
           });
  }
  bool TraverseForStmt(ForStmt *s) override {
    return TraverseStmt(s->getInit()) && in(s, [&] {
             return TraverseStmt(s->getCond()) && TraverseStmt(s->getInc()) &&
                    TraverseStmt(s->getBody());
           });
  }
  bool TraverseWhileStmt(WhileStmt *s) override {
    return in(s,
              [&] { return DynamicRecursiveASTVisitor::TraverseWhileStmt(s); });
  }
  bool TraverseDoStmt(DoStmt *s) override {
    return in(s, [&] { return DynamicRecursiveASTVisitor::TraverseDoStmt(s); });
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *s) override {
    return in(s, [&] {
      return DynamicRecursiveASTVisitor::TraverseCXXForRangeStmt(s);
    });
  }
  bool TraverseLambdaExpr(LambdaExpr *e) override {
    const SaveAndRestore outer(inLambda, true);
    return DynamicRecursiveASTVisitor::TraverseLambdaExpr(e);
  }

private:
  template <class F> bool under(const Expr *condition, F visit) {
    conditions.push_back(condition);
    const bool goesOn = visit();
    conditions.pop_back();
    return goesOn;
  }
  template <class F> bool in(const Stmt *s, F visit) {
    const SaveAndRestore outer(loop, s);
    const SaveAndRestore around(conditionsAround, conditions.size());
    loops.push_back(s);
    const bool goesOn = visit();
    loops.pop_back();
    return goesOn;
  }

  std::vector<const Expr *> conditions;
  size_t conditionsAround = 0; // the loop
  const Stmt *loop = nullptr;  // the innermost one around
  std::vector<const Stmt *> loops;
  std::set<std::pair<const VarDecl *, const Stmt *>> mentioned; // in loops
  bool inLambda = false;
  std::set<const FunctionDecl *> entered;
};

bool Truths::isTruth(const Expr *e) const {
  e = e->IgnoreParenImpCasts();
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(e))
    return cast->getType()->isIntegralOrEnumerationType() &&
           isTruth(cast->getSubExpr());
  if (const auto *number = dyn_cast<IntegerLiteral>(e))
    return number->getValue().ule(1);
  if (const auto *ref = dyn_cast<DeclRefExpr>(e);
      ref && contains(ref->getDecl()))
    return true;
  if (const auto *c = dyn_cast<ConditionalOperator>(e))
    return isTruth(c->getTrueExpr()) && isTruth(c->getFalseExpr());
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (b && (b->getOpcode() == BO_And || b->getOpcode() == BO_Or))
    return isTruth(b->getLHS()) && isTruth(b->getRHS());
  return !e->getType().isNull() && !e->isTypeDependent() &&
         e->isKnownToHaveBooleanValue();
}

Truths::Truths(const Stmt *body) {
  Visitor visitor;
  visitor.TraverseStmt(const_cast<Stmt *>(body));
  std::set<const VarDecl *> data;
  for (auto [v, count] : visitor.assigned)
    if (v->isLocalVarDecl() && !v->isStaticLocal() &&
        v->getType()->isIntegerType() && !v->getType()->isEnumeralType() &&
        !v->getType().isVolatileQualified())
      all.insert(v);
  // Another name could change it.
  const Mentions mentions = mentionsOf(body);
  for (const DeclRefExpr *ref : mentions.variables)
    if (!mentions.loaded.count(ref) && !mentions.targets.count(ref))
      all.erase(ref->getDecl());
  auto readsData = [&](const Expr *e) {
    MayReadData reads(data);
    reads.TraverseStmt(const_cast<Expr *>(e));
    return reads.found;
  };
  for (bool changed = true; std::exchange(changed, false);)
    for (const Visitor::Set &s : visitor.sets) {
      if ((s.value && readsData(s.value)) || any_of(s.conditions, readsData)) {
        changed |= data.insert(s.variable).second;
        all.erase(s.variable);
      }
      const bool isTruthHere =
          contains(s.variable) && s.mayBeTruth &&
          (s.loop == visitor.loopOf[s.variable] ||
           (visitor.anew.count({s.variable, s.loop}) &&
            !visitor.mentionedOutside.count(s.variable))) &&
          (s.variable->getType()->isBooleanType() || isTruth(s.value));
      if (!isTruthHere)
        changed |= all.erase(s.variable) != 0;
    }
}

/// What stands for the condition that \p value is.
std::optional<Binding> NestBuilder::truth(const Expr *value) {
  std::optional<Pieces> yes = pieces(value, /*negated=*/false);
  ASSIGN_OR_RETURN(Pieces no, yes ? pieces(value, /*negated=*/true) : yes);
  Binding b(Binding::Condition);
  b.pieces = std::move(*yes);
  b.otherwise = std::move(no);
  return b;
}

bool NestBuilder::bindTruth(const VarDecl *v, const Expr *value) {
  std::optional<Binding> b = truth(value);
  if (b)
    scope[v] = std::move(*b);
  return b.has_value();
}

/// 1 where the condition \p e holds, and 0 where not.
std::optional<IndexExpr> NestBuilder::indexOfTruth(const Expr *e) {
  Values values;
  for (bool negated : {false, true}) {
    ASSIGN_OR_RETURN(Pieces all, pieces(e, negated));
    for (Conjunction &one : all)
      values.emplace_back(std::move(one), IndexExpr(negated ? 0 : 1));
  }
  return addChoice(values, e->getSourceRange());
}

/// The bits that \p e, a number, consists of, or does not with \p inverted, as
/// the greatest number of them: those that are last.
static std::optional<int64_t> lastBits(const Expr *e, bool inverted,
                                       const ASTContext &ast) {
  Expr::EvalResult result;
  if (e->isValueDependent() || !e->EvaluateAsInt(result, ast))
    return std::nullopt;
  APInt bits = result.Val.getInt();
  if (inverted)
    bits.flipAllBits();
  if (bits.getActiveBits() > 30 || !(bits.isZero() || bits.isMask()))
    return std::nullopt;
  return bits.getZExtValue();
}

/// `i & 3`, which is the remainder by 4, of negative values as well, and
/// `(i ^ j) & 1`, which is that of the sum by 2; `i & ~3`, which is i without
/// the remainder, and `i | 3`, which is the last number with the same quotient.
std::optional<IndexExpr> NestBuilder::indexOfMask(const BinaryOperator *b) {
  const bool isAnd = b->getOpcode() == BO_And;
  const bool isFirst = !constant(b->getRHS()) && constant(b->getLHS());
  const Expr *mask = isFirst ? b->getLHS() : b->getRHS();
  const Expr *masked = isFirst ? b->getRHS() : b->getLHS();
  const std::optional<int64_t> kept = lastBits(mask, /*inverted=*/false, ast);
  ASSIGN_OR_RETURN(const int64_t last,
                   kept || !isAnd ? kept
                                  : lastBits(mask, /*inverted=*/true, ast));
  const auto *parity = dyn_cast<BinaryOperator>(masked->IgnoreParenImpCasts());
  std::optional<IndexExpr> value;
  if (isAnd && kept == 1 && parity && parity->getOpcode() == BO_Xor) {
    value = index(parity->getLHS());
    std::optional<IndexExpr> other =
        value ? index(parity->getRHS()) : std::nullopt;
    value = other ? std::optional(*value + *other) : std::nullopt;
  } else {
    value = index(masked);
  }
  if (!value)
    return std::nullopt;
  const IndexExpr rest = IndexExpr::mod(*value, IndexExpr(last + 1));
  return isAnd && kept ? rest : *value - rest + (isAnd ? 0 : last);
}

} // namespace convopt
