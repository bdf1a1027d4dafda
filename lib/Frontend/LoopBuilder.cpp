//===- LoopBuilder.cpp - `for` statements ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `for (i = lo; i + n < hi; i += s)` with constant s. Steps other than 1 count
/// iterations: the source's `i` is `lo + s * i`, in its own order.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "ReadOnly.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// Where the iterator starts; others start before the loop does.
bool NestBuilder::headerInit(const ForStmt *f, Header &h) {
  const VarDecl *stepped = variableOf(f);
  const Stmt *init = f->getInit();
  if (const auto *d = dyn_cast_or_null<DeclStmt>(init)) {
    for (const Decl *one : d->decls()) {
      const auto *v = dyn_cast<VarDecl>(one);
      if (v && (v == stepped || d->isSingleDecl())) {
        h.variable = v;
        h.init = v->getInit();
      } else if (!v || !variable(v, v->getInit())) {
        return false;
      }
    }
    return h.variable && h.init;
  }
  for (const Expr *part : commaParts(dyn_cast_or_null<Expr>(init))) {
    const auto *b = dyn_cast<BinaryOperator>(part);
    const bool isSet = b && b->getOpcode() == BO_Assign;
    const VarDecl *v = isSet ? namedVariable(b->getLHS()) : nullptr;
    if (v && (v == stepped || part == init)) {
      h.variable = v;
      h.init = b->getRHS();
    } else if (!isSet || !expression(part)) {
      return false;
    }
  }
  return h.variable && h.init;
}

bool NestBuilder::headerStep(const ForStmt *f, Header &h) {
  const Expr *step = nullptr;
  for (const Expr *part : commaParts(f->getInc()))
    if (!step && steppedVariable(part) == h.variable)
      step = part;
    else
      h.others.push_back(part);
  if (const auto *u = dyn_cast_or_null<UnaryOperator>(step)) {
    h.step = u->isIncrementOp() ? 1 : -1;
    return u->isIncrementDecrementOp() &&
           namedVariable(u->getSubExpr()) == h.variable;
  }
  const auto *b = dyn_cast_or_null<BinaryOperator>(step);
  if (!b || namedVariable(b->getLHS()) != h.variable)
    return false;
  const Expr *by = b->getRHS();
  bool down = b->getOpcode() == BO_SubAssign;
  if (b->getOpcode() == BO_Assign) { // i = i + s
    const auto *sum = dyn_cast<BinaryOperator>(by->IgnoreParenImpCasts());
    if (!sum || !sum->isAdditiveOp() ||
        namedVariable(sum->getLHS()) != h.variable)
      return false;
    by = sum->getRHS();
    down = sum->getOpcode() == BO_Sub;
  } else if (b->getOpcode() != BO_AddAssign && !down) {
    return false;
  }
  std::optional<IndexExpr> s = attempt([&] { return index(by); });
  std::optional<int64_t> n =
      s ? nest.expandDefinitions(*s).asConstant() : std::nullopt;
  if (!n || *n == 0 || std::abs(*n) > INT32_MAX)
    return false;
  h.step = down ? -*n : *n;
  return true;
}

/// `y + K <= H` as `y <= H - K`. Unsigned sums are over what is not negative.
bool NestBuilder::solveCondition(const BinaryOperator *c, Header &h,
                                 BinaryOperatorKind &op) {
  Var v = loopVar(nest.loopNames.size()); // not yet there
  auto outer = scope;
  scope[h.variable] = Binding();
  scope[h.variable].kind = Binding::Value;
  scope[h.variable].index = IndexExpr::of(v);
  auto left = attempt([&] { return index(c->getLHS()); });
  auto right = left ? attempt([&] { return index(c->getRHS()); }) : left;
  scope = std::move(outer);
  if (!right)
    return false;
  std::optional<IndexExpr> times = (*left - *right).symbolicCoefficient(v);
  std::optional<int64_t> sign = times ? times->asConstant() : std::nullopt;
  if (!sign || std::abs(*sign) != 1)
    return false;
  IndexExpr &with = *sign > 0 ? *left : *right;
  IndexExpr &without = *sign > 0 ? *right : *left;
  with -= IndexExpr::of(v);
  if ((with - without).uses(v))
    return false;
  if (c->getLHS()->getType()->isUnsignedIntegerType() ||
      h.variable->getType()->isUnsignedIntegerType()) {
    if (with.uses(v))
      return false;
    for (const IndexExpr &e : {with, without})
      oblige(e, c->getSourceRange(), "an unsigned bound does not wrap");
  }
  h.solved = without - with;
  h.bound = c->getRHS();
  if (*sign < 0)
    op = BinaryOperator::reverseComparisonOp(op);
  return true;
}

/// The condition as `i < bound + slack`, or `i > bound - slack` downwards.
bool NestBuilder::headerCondition(const ForStmt *f, Header &h) {
  const auto *c = dyn_cast_or_null<BinaryOperator>(
      f->getCond() ? f->getCond()->IgnoreParenImpCasts() : nullptr);
  if (!c || !c->isComparisonOp())
    return false;
  BinaryOperatorKind op = c->getOpcode();
  if (namedVariable(c->getLHS()) == h.variable) {
    h.bound = c->getRHS();
  } else if (namedVariable(c->getRHS()) == h.variable) {
    h.bound = c->getLHS();
    op = BinaryOperator::reverseComparisonOp(op);
  } else if (!solveCondition(c, h, op)) {
    return false;
  }
  h.slack = op == BO_LE || op == BO_GE;
  if (op == BO_NE)
    return std::abs(h.step) == 1;
  return h.step > 0 ? op == BO_LT || op == BO_LE : op == BO_GT || op == BO_GE;
}

bool NestBuilder::header(const ForStmt *f, Header &h) {
  const char *remedy = "write 'for (int i = lo; i < hi; ++i)'";
  clang::SourceRange where(f->getForLoc(), f->getRParenLoc());
  std::string name = h.variable->getNameAsString();
  if (!isPlainInteger(h.variable->getType(), where))
    return false;
  if (h.variable->getType().isVolatileQualified() ||
      h.variable->hasGlobalStorage() || isa<ParmVarDecl>(h.variable))
    return fail(diag::LoopForm, where,
                "iterator '" + name + "' is not a local variable", remedy);
  if (!headerStep(f, h))
    return fail(diag::LoopForm, where,
                "the step of loop '" + name + "' is not a constant", remedy);
  if (!headerCondition(f, h))
    return fail(diag::LoopForm, where,
                "the condition of loop '" + name + "' does not compare '" +
                    name + "' with a bound alone",
                remedy);
  const bool isChanged =
      VariableUse::assignedIn(f->getBody()).count(h.variable) ||
      any_of(h.others, [&](const Expr *e) {
        return VariableUse::assignedIn(e).count(h.variable);
      });
  if (isChanged || use.isAddressTaken(h.variable))
    return fail(diag::LoopForm, where,
                "iterator '" + name + "' is changed in the loop", remedy);
  return true;
}

bool NestBuilder::setBounds(const Header &h,
                            const std::vector<IndexExpr> &start, Loop &l,
                            IndexExpr &value) {
  bool up = h.step > 0;
  auto end = h.solved ? std::make_optional(std::vector{*h.solved})
                      : extremes(h.bound, /*isMax=*/!up);
  if (!end)
    return false;
  const QualType type = h.variable->getType();
  const clang::SourceRange where = h.bound->getSourceRange();
  if (any_of(start, isChosen) || any_of(*end, isChosen))
    return fail(diag::IndexExtreme,
                any_of(*end, isChosen) ? where : h.init->getSourceRange(),
                "a loop starts or ends at one of several values, of which it "
                "is neither the least nor the greatest",
                "start at the greatest of several values, and end at the "
                "least, or guard the loop's body");
  auto isUnsigned = [&](QualType t) {
    return t->isUnsignedIntegerType() && !isNarrow(t);
  };
  if (isUnsigned(type) || isUnsigned(h.bound->getType())) {
    std::vector<IndexExpr> all = start;
    if (!h.solved)
      append_range(all, *end);
    for (const IndexExpr &e : all)
      oblige(e, where, "an unsigned bound does not wrap");
  }
  // The iterator starts as it is set, and ends at the bound or beyond.
  if (isNarrow(type))
    for (const IndexExpr &e : start)
      obligeFits(e, type, where);
  if (isNarrow(type) || (!up && isUnsigned(type)))
    for (const IndexExpr &e : *end)
      obligeFits(up ? e + (h.slack + h.step - 1) : e - h.slack + (h.step + 1),
                 type, where);
  if (h.step == 1) {
    for (const IndexExpr &e : start)
      l.lower.push_back({e, 1});
    for (const IndexExpr &e : *end)
      l.upper.push_back({e + h.slack, 1});
    value = IndexExpr::loop(l.id);
    return true;
  }
  if (start.size() != 1)
    return fail(diag::IndexExtreme, h.init->getSourceRange(),
                "a loop with a step starts at one of several values");
  l.lower.push_back({0, 1});
  for (const IndexExpr &e : *end) {
    IndexExpr distance =
        up ? e + h.slack - start.front() : start.front() - e + h.slack;
    l.upper.push_back({distance, std::abs(h.step)});
  }
  value = start.front() + IndexExpr(h.step) * IndexExpr::loop(l.id);
  return true;
}

bool NestBuilder::forLoop(const ForStmt *f) {
  Header h;
  if (f->getConditionVariable() || !headerInit(f, h))
    return fail(diag::LoopForm, {f->getForLoc(), f->getRParenLoc()},
                "this loop does not start by setting its iterator",
                "write 'for (int i = lo; i < hi; ++i)'");
  scope.erase(h.variable);
  inLoops = true;
  // Steps and bounds are those of each iteration, the start that of the first.
  auto before = scope;
  std::vector<Moving> moving = startMoving(f);
  if (!header(f, h))
    return false;
  std::swap(scope, before);
  auto start = extremes(h.init, /*isMax=*/h.step > 0);
  std::swap(scope, before);
  auto loop =
      std::make_shared<Loop>(nest.addLoopName(h.variable->getNameAsString()),
                             range(f->getSourceRange()));
  Binding iterator;
  iterator.kind = Binding::Value;
  if (!start || !setBounds(h, *start, *loop, iterator.index))
    return false;
  for (const Moving &m : moving)
    for (const Bound &b : loop->upper)
      if (b.expr.uses(m.unknown))
        return fail(diag::LoopForm, h.bound->getSourceRange(),
                    "the loop changes '" + m.variable->getNameAsString() +
                        "', which its bound depends on",
                    "use a variable of its own for what changes");
  auto outer = scope;
  scope[h.variable] = iterator;
  open.push_back(loop);
  bool outerTail = std::exchange(tail, true);
  bool good = nested(f->getBody(), loop->body, /*alwaysRuns=*/true);
  Body *around = std::exchange(current, &loop->body);
  good = good &&
         all_of(h.others, [&](const Expr *e) { return expression(e); }) &&
         finishMoving(moving, *loop);
  current = around;
  tail = outerTail;
  open.pop_back();
  for (const Moving &m : moving)
    outer[m.variable] = scope[m.variable];
  scope = std::move(outer);
  if (!h.variable->isLocalVarDecl() || !isa<DeclStmt>(f->getInit()))
    scope[h.variable] = Binding();
  current->push_back(std::move(loop));
  return good;
}

} // namespace convopt
