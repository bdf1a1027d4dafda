//===- GuardedReads.cpp - Conditions within right-hand sides --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// The text of \p e where it is a number as written, or nothing.
std::string NestBuilder::number(const Expr *e) const {
  e = e->IgnoreParenImpCasts();
  const auto *u = dyn_cast<UnaryOperator>(e);
  const bool isMinus = u && u->getOpcode() == UO_Minus;
  if (isMinus)
    e = u->getSubExpr()->IgnoreParenImpCasts();
  if (!isa<FloatingLiteral, IntegerLiteral>(e))
    return "";
  return (isMinus ? "-" : "") + literal(e);
}

/// `inside ? x[...] : 0`: the read happens only inside; so it does where one
/// condition stands in another and both have the same number elsewhere.
bool NestBuilder::guardedRead(const ConditionalOperator *c, Statement &s) {
  Operand o;
  const Expr *read = c;
  while (c) {
    o.otherwise = number(c->getTrueExpr());
    const bool negated = !o.otherwise.empty();
    if (!negated)
      o.otherwise = number(c->getFalseExpr());
    read =
        (negated ? c->getFalseExpr() : c->getTrueExpr())->IgnoreParenImpCasts();
    std::optional<Pieces> p =
        under({o.guard}, [&] { return pieces(c->getCond(), negated); });
    if (o.otherwise.empty() || !p || p->size() != 1 || p->front().empty())
      return false;
    append_range(o.guard, p->front());
    c = dyn_cast<ConditionalOperator>(read);
    const bool isSame = c && (number(c->getTrueExpr()) == o.otherwise ||
                              number(c->getFalseExpr()) == o.otherwise);
    if (c && !isSame)
      return false;
  }
  if (!isa<ArraySubscriptExpr, CallExpr>(read))
    return false;
  std::optional<Access> a = under({o.guard}, [&] { return access(read); });
  if (!a)
    return false;
  o.access = std::move(*a);
  addOperand(std::move(o), s);
  return true;
}

/// `(inside ? x[...] : y[...]) * 2`, where the text cannot have both: a
/// variable of its own, which is set before the statement.
bool NestBuilder::rhsOfChosen(const ConditionalOperator *c, Statement &s) {
  Operand o;
  o.access.array =
      addLocal(nameOf("chosen"), spelling(c->getType().getUnqualifiedType()),
               {}, c->getSourceRange());
  if (!storeChosen(o.access, c, BO_Assign, c->getSourceRange()))
    return false;
  addOperand(std::move(o), s);
  return true;
}

bool NestBuilder::rhsOfConditional(const ConditionalOperator *c, Statement &s) {
  if (attempt([&] { return guardedRead(c, s); }))
    return true;
  if (!underCondition && c->getType()->isArithmeticType() &&
      mustBranch(c, /*isWhole=*/false))
    return rhsOfChosen(c, s);
  s.text += "(";
  if (!rhs(c->getCond(), s))
    return false;
  s.text += " ? ";
  ++underCondition;
  bool good = rhsOfBinary(c->getTrueExpr(), c->getFalseExpr(), ":", s);
  --underCondition;
  if (!good)
    return false;
  s.text += ")";
  return true;
}

} // namespace convopt
