//===- RealIndices.cpp - Indices that are computed in floating point ------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `floor(k / 2)`, `ceil((float)n / d)` and `(int)(k * 0.5)`: sums, differences
/// and products of integers and of numbers such as 0.5 are exact, a quotient of
/// two of these is the closest number to a fraction, which no integer lies
/// between, and so is a sum of one with an integer. What divides before it
/// multiplies may be a little less than an integer, and is none.
///
/// Exact are values below 2^53, or in float below 2^23. A size may be computed
/// in float, as no array has so many rows; what loops count may not.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "ReadOnly.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// num / den.
struct NestBuilder::Real {
  IndexExpr num, den = 1;
  bool isExact = true; // else the closest number to it
};

/// \p value as a fraction with a small power of two below.
static std::optional<std::pair<int64_t, int64_t>> dyadic(const APFloat &value) {
  for (int64_t den = 1; den <= 256; den *= 2) {
    const double scaled = value.convertToDouble() * double(den);
    if (scaled == double(int32_t(scaled)))
      return std::make_pair(int64_t(scaled), den);
  }
  return std::nullopt;
}

/// What \p call rounds to an integer, by `floor`, `ceil`, `trunc` or `round`.
std::optional<NestBuilder::Real> NestBuilder::rounded(const CallExpr *call) {
  const PureCallee callee = pureCallee(call);
  StringRef name = callee.name;
  const bool isRounding =
      callee.isPure && call->getNumArgs() == 1 &&
      (name.consume_back("f"), true) &&
      is_contained({"floor", "ceil", "trunc", "round"}, name);
  if (!isRounding)
    return none(diag::IndexType, call->getSourceRange(),
                "an index is computed in floating point", "use integers");
  ASSIGN_OR_RETURN(Real r, real(call->getArg(0)));
  if (r.den == IndexExpr(1))
    return r;
  oblige(r.den - 1, call->getSourceRange(), "the divisor is positive");
  if (name == "floor")
    return Real{IndexExpr::floorDiv(r.num, r.den)};
  if (name == "ceil")
    return Real{IndexExpr::floorDiv(r.num + r.den - 1, r.den)};
  if (name == "round") { // half of one away from zero
    oblige(r.num, call->getSourceRange(), "what is rounded is not negative");
    r = {r.num * 2 + r.den, r.den * 2};
  }
  std::optional<IndexExpr> whole = towardsZero(r, call);
  return whole ? std::optional(Real{*whole}) : std::nullopt;
}

/// \p r without what stands behind its point.
std::optional<IndexExpr> NestBuilder::towardsZero(const Real &r,
                                                  const Expr *e) {
  if (r.den == IndexExpr(1))
    return r.num;
  oblige(r.num, e->getSourceRange(), "what is rounded is not negative");
  oblige(r.den - 1, e->getSourceRange(), "the divisor is positive");
  return IndexExpr::floorDiv(r.num, r.den);
}

/// \p e, which is of floating type or an integer.
std::optional<NestBuilder::Real> NestBuilder::real(const Expr *e) {
  e = e->IgnoreParens();
  if (e->getType()->isIntegerType()) {
    std::optional<IndexExpr> i = index(e);
    return i ? std::optional(Real{*i}) : std::nullopt;
  }
  if (const auto *cast = dyn_cast<CastExpr>(e))
    return real(cast->getSubExpr());
  if (const auto *call = dyn_cast<CallExpr>(e))
    return rounded(call);
  if (const auto *f = dyn_cast<FloatingLiteral>(e))
    if (auto value = dyadic(f->getValue()))
      return Real{value->first, value->second};
  const auto *u = dyn_cast<UnaryOperator>(e);
  if (u && (u->getOpcode() == UO_Minus || u->getOpcode() == UO_Plus)) {
    std::optional<Real> r = real(u->getSubExpr());
    if (r && u->getOpcode() == UO_Minus)
      r->num = -r->num;
    return r;
  }
  const auto *b = dyn_cast<BinaryOperator>(e);
  const bool isArithmetic =
      b && is_contained({BO_Add, BO_Sub, BO_Mul, BO_Div}, b->getOpcode());
  std::optional<Real> l, r;
  if (isArithmetic)
    l = real(b->getLHS());
  if (l)
    r = real(b->getRHS());
  if (isArithmetic && !r)
    return std::nullopt;
  const bool isSum = isArithmetic && b->isAdditiveOp();
  const bool isWhole = r && (l->den == IndexExpr(1) || r->den == IndexExpr(1));
  if (isSum && (isWhole || (l->isExact && r->isExact))) {
    const IndexExpr right = r->num * l->den;
    return Real{l->num * r->den + (b->getOpcode() == BO_Sub ? -right : right),
                l->den * r->den, l->isExact && r->isExact};
  }
  if (isArithmetic && !isSum && l->isExact && r->isExact) {
    if (b->getOpcode() == BO_Mul)
      return Real{l->num * r->num, l->den * r->den};
    const std::optional<int64_t> den = r->num.asConstant();
    const bool isPower = den && *den > 0 && (*den & (*den - 1)) == 0;
    return Real{l->num * r->den, l->den * r->num, isPower};
  }
  return none(diag::IndexType, e->getSourceRange(),
              "an index is computed in floating point, and may be rounded",
              "use integers: n / d for a quotient that is rounded down, and "
              "(n + d - 1) / d for one that is rounded up");
}

/// The integer that \p e, of floating type, is converted to.
std::optional<IndexExpr> NestBuilder::indexOfReal(const Expr *e) {
  std::optional<Real> r = real(e);
  std::optional<IndexExpr> whole = r ? towardsZero(*r, e) : std::nullopt;
  const bool isDouble =
      e->IgnoreParenImpCasts()->getType()->isSpecificBuiltinType(
          BuiltinType::Double);
  if (!whole || isDouble || !whole->usesLoops())
    return whole;
  return none(diag::IndexType, e->getSourceRange(),
              "an index is computed in floating point, and may be rounded",
              "use integers, or double");
}

} // namespace convopt
