//===- LoopSteps.cpp - The steps and ends of `for` statements -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `for (i = lo; i < hi; i += s)` has `ceil((hi - lo) / s)` iterations. Where s
/// is a size, that it is positive is a fact to check, and the number of
/// iterations a size of its own. `i + n < hi` and `i * s < hi` are ends of i.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "Resolve.h"
#include "convopt/Nest/Polynomial.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// `b * B < n` as `b < ceil(n / B)`, where \p difference is its left side less
/// its right one; none where B is no size or the loop does not end there.
std::optional<IndexExpr> NestBuilder::endOfMultiple(const BinaryOperator *c,
                                                    const IndexExpr &difference,
                                                    Var v,
                                                    BinaryOperatorKind &op) {
  const std::optional<IndexExpr> times = difference.symbolicCoefficient(v);
  auto isSize = [](const IndexExpr &e) {
    return e.asConstant().value_or(0) > 0 || asProduct(e);
  };
  if (!times || times->usesLoops() || !c->isRelationalOp() ||
      (!isSize(*times) && !isSize(-*times)))
    return std::nullopt;
  const bool isOnLeft = isSize(*times);
  const IndexExpr by = isOnLeft ? *times : -*times;
  if (!isOnLeft)
    op = BinaryOperator::reverseComparisonOp(op);
  const IndexExpr end =
      by * IndexExpr::of(v) - (isOnLeft ? difference : -difference);
  oblige(by - 1, c->getSourceRange(),
         "what a loop is multiplied by is positive");
  // `<` and `>=` are of the quotient rounded up, `<=` and `>` of the other.
  const bool isUp = op == BO_LT || op == BO_GE;
  return IndexExpr::floorDiv(isUp ? end + (by - 1) : end, by);
}

/// `y + K <= H` as `y <= H - K`. Unsigned sums are over what is not negative.
std::optional<NestBuilder::HeaderEnd>
NestBuilder::solveCondition(const BinaryOperator *c, const Header &h,
                            BinaryOperatorKind &op) {
  Var v = loopVar(nest.loopNames.size()); // not yet there
  auto outer = scope;
  scope[h.variable] = IndexExpr::of(v);
  auto left = attempt([&] { return index(c->getLHS()); });
  auto right = left ? attempt([&] { return index(c->getRHS()); }) : left;
  scope = std::move(outer);
  if (!right)
    return std::nullopt;
  std::optional<IndexExpr> times = (*left - *right).symbolicCoefficient(v);
  std::optional<int64_t> sign = times ? times->asConstant() : std::nullopt;
  const bool isUnsigned = c->getLHS()->getType()->isUnsignedIntegerType() ||
                          h.variable->getType()->isUnsignedIntegerType();
  if (!sign || std::abs(*sign) != 1) {
    auto end =
        isUnsigned ? std::nullopt : endOfMultiple(c, *left - *right, v, op);
    return end ? std::optional(HeaderEnd{c->getRHS(), *end}) : std::nullopt;
  }
  IndexExpr &with = *sign > 0 ? *left : *right;
  IndexExpr &without = *sign > 0 ? *right : *left;
  with -= IndexExpr::of(v);
  if ((with - without).uses(v))
    return std::nullopt;
  if (isUnsigned) {
    if (with.uses(v))
      return std::nullopt;
    for (const IndexExpr &e : {with, without})
      oblige(e, c->getSourceRange(), "an unsigned bound does not wrap");
  }
  if (*sign < 0)
    op = BinaryOperator::reverseComparisonOp(op);
  return HeaderEnd{c->getRHS(), without - with};
}

bool NestBuilder::headerStep(const ForStmt *f, Header &h) {
  const Expr *step = nullptr;
  for (const Expr *part : commaParts(f->getInc()))
    if (!step && steppedVariable(part) == h.variable)
      step = part;
    else
      (step ? h.after : h.before).push_back(part);
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
  if (!s)
    return false;
  if (std::optional<int64_t> n = nest.constantOf(*s)) {
    h.step = down ? -*n : *n;
    return *n != 0 && std::abs(*n) <= INT32_MAX;
  }
  if (s->usesLoops() || isChosen(*s) || hardware::isIn(*s) ||
      isNarrow(h.variable->getType()))
    return false;
  h.step = down ? -1 : 1;
  h.size = std::move(s);
  return true;
}

/// Gives \p l, which \p start begins and \p ends end, an iteration for each
/// step; \p value is that of the source's iterator.
bool NestBuilder::countSteps(const Header &h, ArrayRef<IndexExpr> start,
                             ArrayRef<IndexExpr> ends, Loop &l,
                             IndexExpr &value) {
  const std::string name = h.variable->getNameAsString();
  const clang::SourceRange where = h.init->getSourceRange();
  if (start.size() != 1)
    return fail(diag::IndexExtreme, where,
                "a loop with a step starts at one of several values");
  l.lower.push_back({0, 1});
  value = start.front() + h.distance() * IndexExpr::loop(l.id);
  if (h.size)
    addAssumption(nest, *h.size - 1, "the step of '" + name + "' is positive",
                  range(where));
  for (const IndexExpr &e : ends) {
    const IndexExpr length = h.step > 0 ? e - start.front() : start.front() - e;
    if (!h.size) {
      l.upper.push_back({length, std::abs(h.step)});
      continue;
    }
    if (length.usesLoops())
      return fail(diag::LoopForm, where,
                  "loop '" + name +
                      "' has a step that is no constant and bounds that other "
                      "loops change",
                  "count its iterations: for (int i = 0; i < n; ++i)");
    const IndexExpr steps = IndexExpr::floorDiv(length + *h.size - 1, *h.size);
    l.upper.push_back({IndexExpr::param(nest.params.size()), 1});
    nest.params.push_back({nameOf(name + "_steps"), "int", false, steps});
  }
  return true;
}

} // namespace convopt
