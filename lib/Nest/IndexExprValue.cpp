//===- IndexExprValue.cpp - Substitution and evaluation -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/IndexExpr.h"
#include "llvm/Support/MathExtras.h"

namespace convopt {

IndexExpr IndexExpr::substitute(
    llvm::function_ref<std::optional<IndexExpr>(Var)> map) const {
  if (!isValid())
    return *this;
  auto replaced = [&](const Atom &a) {
    if (!a.isVar())
      return floorDiv(a.num().substitute(map), a.den().substitute(map));
    std::optional<IndexExpr> value = map(a.asVar());
    return value ? *value : of(a.asVar());
  };
  IndexExpr result;
  for (const auto &[m, c] : terms_) {
    IndexExpr product = c;
    for (const Atom &a : m)
      product = product * replaced(a);
    result += product;
  }
  return result;
}

IndexExpr IndexExpr::substitute(Var v, const IndexExpr &value) const {
  return substitute([&](Var w) {
    return w == v ? std::optional<IndexExpr>(value) : std::nullopt;
  });
}

static std::optional<int64_t> evaluate(const Atom &a,
                                       llvm::function_ref<int64_t(Var)> map) {
  if (a.isVar())
    return map(a.asVar());
  std::optional<int64_t> num = a.num().evaluate(map);
  std::optional<int64_t> den = a.den().evaluate(map);
  if (!num || !den || *den <= 0)
    return std::nullopt;
  return llvm::divideFloorSigned(*num, *den);
}

std::optional<int64_t>
IndexExpr::evaluate(llvm::function_ref<int64_t(Var)> map) const {
  if (!isValid())
    return std::nullopt;
  int64_t sum = 0;
  for (const auto &[m, c] : terms_) {
    int64_t product = c;
    for (const Atom &a : m) {
      std::optional<int64_t> value = convopt::evaluate(a, map);
      if (!value || __builtin_mul_overflow(product, *value, &product))
        return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum))
      return std::nullopt;
  }
  return sum;
}

} // namespace convopt
