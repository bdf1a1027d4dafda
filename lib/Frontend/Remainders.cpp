//===- Remainders.cpp - Remainders of what may be negative ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// C's remainder has the sign of what is divided. Two forms turn it into one
/// that is not negative, whatever is divided: `(a % n + n) % n`, and n more
/// where the remainder is negative.
///
//===----------------------------------------------------------------------===//

#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// `(a % n + n) % n`, where `a` may be negative: a remainder that is not.
std::optional<IndexExpr> NestBuilder::indexOfCircle(const BinaryOperator *b) {
  const auto *sum =
      dyn_cast<BinaryOperator>(b->getLHS()->IgnoreParenImpCasts());
  if (!sum || sum->getOpcode() != BO_Add ||
      !b->getType()->isSignedIntegerType())
    return std::nullopt;
  for (bool isSecond : {false, true}) {
    const auto *inner = dyn_cast<BinaryOperator>(
        (isSecond ? sum->getRHS() : sum->getLHS())->IgnoreParenImpCasts());
    if (!inner || inner->getOpcode() != BO_Rem ||
        !inner->getType()->isSignedIntegerType())
      continue;
    const std::optional<IndexExpr> n = index(b->getRHS());
    const std::optional<IndexExpr> a =
        n ? index(inner->getLHS()) : std::nullopt;
    if (!a || index(inner->getRHS()) != n ||
        index(isSecond ? sum->getLHS() : sum->getRHS()) != n)
      continue;
    oblige(*n - 1, b->getSourceRange(), "the divisor is positive");
    return IndexExpr::mod(*a, *n);
  }
  return std::nullopt;
}

/// What \p cond says to be negative, or with \p isNot not to be.
static const Expr *negativeIn(const Expr *cond, const ASTContext &ast,
                              bool &isNot) {
  const auto *b = dyn_cast<BinaryOperator>(cond->IgnoreParenImpCasts());
  if (!b || !b->isRelationalOp())
    return nullptr;
  auto isZero = [&](const Expr *e) {
    const std::optional<APSInt> value = e->getIntegerConstantExpr(ast);
    return value && *value == 0;
  };
  const BinaryOperatorKind op = b->getOpcode();
  const bool isRight = isZero(b->getRHS());
  isNot = op == (isRight ? BO_GE : BO_LE);
  if (isRight ? op == BO_LT || isNot
              : isZero(b->getLHS()) && (op == BO_GT || isNot))
    return isRight ? b->getLHS() : b->getRHS();
  return nullptr;
}

/// `q < 0 ? q + n : q`, where q is a remainder by n of what may be negative.
std::optional<IndexExpr>
NestBuilder::indexOfTurn(const ConditionalOperator *c) {
  bool isNot = false;
  const Expr *tested = negativeIn(c->getCond(), ast, isNot);
  if (!tested || !tested->getType()->isSignedIntegerType())
    return std::nullopt;
  const size_t before = obligations.size();
  const std::optional<IndexExpr> q = index(tested);
  const std::optional<IndexExpr> same =
      q ? index(isNot ? c->getTrueExpr() : c->getFalseExpr()) : std::nullopt;
  const std::optional<IndexExpr> turned =
      same ? index(isNot ? c->getFalseExpr() : c->getTrueExpr()) : std::nullopt;
  if (!turned || *same != *q)
    return std::nullopt;
  const IndexExpr n = *turned - *q;
  auto isOfQ = [&](const Obligation &o) {
    return o.mayTurn && o.remainder == q && IndexExpr::mod(o.expr, n) == *q;
  };
  const auto begin = obligations.begin() + before;
  const auto end = std::remove_if(begin, obligations.end(), isOfQ);
  if (end == obligations.end())
    return std::nullopt;
  obligations.erase(end, obligations.end());
  return q;
}

} // namespace convopt
