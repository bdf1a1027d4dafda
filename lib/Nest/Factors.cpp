//===- Factors.cpp - What a right-hand side multiplies --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Factors.h"
#include "convopt/Nest/Arithmetic.h"

using namespace llvm;

namespace convopt {

/// Whether \p e, apart from its parts, has a value for all that they have, and
/// is zero where one of them is that it is a product with.
static bool isSumOrProduct(const Nest &nest, const CExpr &e) {
  switch (e.kind) {
  case CExpr::Literal:
  case CExpr::Operand:
    return true;
  case CExpr::Name:
    return any_of(nest.function.arguments, [&](const Argument &a) {
      return a.role == Argument::ScalarArg && a.name == e.token;
    });
  case CExpr::Cast:
    return isInteger(e.token) || isFloating(e.token) ||
           isNamedType(nest, e.token);
  default:
    return e.isUnary({"+", "-"}) || e.isBinary({"+", "-", "*"});
  }
}

static void addFactors(const CExpr &e, std::vector<unsigned> &to) {
  if (e.kind == CExpr::Operand)
    to.push_back(e.hole());
  if (!e.isBinary({"+", "-"})) // a sum is zero for no operand alone
    for (const CExpr &part : e.parts)
      addFactors(part, to);
}

std::vector<unsigned> factorsOf(const Nest &nest, const Statement &s) {
  const CExpr rhs = rhsOf(nest, s);
  std::vector<unsigned> factors;
  if (!rhs.any([&](const CExpr &e) { return !isSumOrProduct(nest, e); }))
    addFactors(rhs, factors);
  return factors;
}

std::string zeroOf(StringRef type) {
  if (type == "float")
    return "0.0f";
  if (type == "double")
    return "0.0";
  return isInteger(type.split(' ').first) ? "0" : type.str() + "(0)";
}

} // namespace convopt
