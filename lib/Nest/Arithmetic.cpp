//===- Arithmetic.cpp - What right-hand sides compute in ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/MathFunctions.h"

using namespace llvm;

namespace convopt {

bool isNamedType(const Nest &nest, StringRef name) {
  return is_contained(nest.function.typeParams, name) ||
         any_of(nest.arrays,
                [&](const Array &a) { return a.elementType == name; });
}

CExpr treeOf(const Nest &nest, StringRef text) {
  return parseCExpr(text,
                    [&](StringRef name) { return isNamedType(nest, name); });
}

/// The type of the scalar argument \p name; empty where there is none.
static StringRef typeOfScalar(const Nest &nest, StringRef name) {
  for (const Argument &a : nest.function.arguments)
    if (a.role == Argument::ScalarArg && a.name == name) {
      StringRef type = StringRef(a.type).rtrim("@ ");
      type.consume_front("const ");
      return type;
    }
  return "";
}

std::vector<StringRef> typesOfWords(const Nest &nest, const Statement &s) {
  std::vector<StringRef> types;
  rhsOf(nest, s).walk([&](const CExpr &e) {
    const StringRef scalar = typeOfScalar(nest, e.token);
    if (e.kind == CExpr::Literal)
      types.push_back(typeOfLiteral(e.token));
    else if (e.kind == CExpr::Name && !scalar.empty())
      types.push_back(scalar);
    else if (is_contained(
                 {CExpr::Name, CExpr::Cast, CExpr::Call, CExpr::Member},
                 e.kind))
      types.push_back(e.token);
  });
  return types;
}

StringRef typeOf(const Nest &nest, const Operand &o) {
  return o.kind == Operand::Index
             ? StringRef("int")
             : StringRef(nest.arrays[o.access.array].elementType);
}

/// Of a call of \p name, whose arguments have the common type \p given.
static StringRef typeOfCall(StringRef name, StringRef given) {
  if (name.starts_with("is") || name.contains("signbit"))
    return "bool";
  if (name.contains("2int") || name.contains("2uint") ||
      ofDoubles(name) == "ilogb" || name.starts_with("lr") ||
      name.starts_with("llr"))
    return "long";
  if (const StringRef type = typeOfBits(name); !type.empty())
    return type;
  const bool isOfBoth = is_contained({"abs", "max", "min", "__dp4a"}, name);
  return !isMathFunction(name) || isOfBoth || isFloating(given) ? given
                                                                : "double";
}

StringRef typeOf(const Nest &nest, const Statement &s, const CExpr &e) {
  StringRef common, own = e.token;
  for (const CExpr &part : drop_begin(e.parts, e.kind == CExpr::Choice))
    common = commonType(common, typeOf(nest, s, part));
  switch (e.kind) {
  case CExpr::Literal:
    return typeOfLiteral(e.token);
  case CExpr::Name:
    return typeOfScalar(nest, e.token);
  case CExpr::Operand:
    return e.hole() < s.operands.size() ? typeOf(nest, s.operands[e.hole()])
                                        : "";
  case CExpr::Cast:
    own.consume_front("const ");
    return own;
  case CExpr::Call:
    return typeOfCall(e.callee(), common);
  case CExpr::Unary:
    return e.token == "!" ? "bool" : e.isUnary({"*", "&"}) ? "" : common;
  case CExpr::Binary:
    if (e.isBinary({"<<", ">>"}))
      return commonType("", typeOf(nest, s, e.parts[0]));
    return e.isBinary({"<", ">", "<=", ">=", "==", "!=", "&&", "||"}) ? "bool"
                                                                      : common;
  case CExpr::Choice:
    return common;
  case CExpr::Subscript:
  case CExpr::Member:
  case CExpr::Verbatim:
    return "";
  }
  llvm_unreachable("every kind is above");
}

/// Whether arithmetic makes the value of \p e of ones of \p type.
static bool isMadeOf(const Nest &nest, const Statement &s, const CExpr &e,
                     StringRef type) {
  auto isPart = [&](const CExpr &part) {
    return isMadeOf(nest, s, part, type);
  };
  if (e.kind == CExpr::Unary || e.kind == CExpr::Binary)
    return typeOf(nest, s, e) != "bool" && any_of(e.parts, isPart);
  if (e.kind == CExpr::Choice)
    return any_of(drop_begin(e.parts), isPart);
  return typeOf(nest, s, e) == type;
}

bool needsInteger(const Nest &nest, StringRef type) {
  return any_of(statements(nest), [&](const StatementPath &p) {
    const Statement &s = *p.statement;
    return rhsOf(nest, s).any([&](const CExpr &e) {
      return (e.isUnary({"~"}) ||
              e.isBinary({"%", "<<", ">>", "&", "|", "^"})) &&
             isMadeOf(nest, s, e, type);
    });
  });
}

bool isTotal(const Nest &nest, const Statement &s) {
  auto isSigned = [&](StringRef type) {
    const bool isKnown = type.empty() || isFloating(type) || isInteger(type) ||
                         isNamedType(nest, type);
    return isBoolean(type) || is_contained(nest.function.signedParams, type) ||
           integerType(type).isComputedSigned() || !isKnown;
  };
  const CExpr rhs = rhsOf(nest, s);
  const StringRef target = nest.arrays[s.target.array].elementType;
  const bool isSum = is_contained(
      {Statement::Op::Add, Statement::Op::Sub, Statement::Op::Mul}, s.op);
  if (isSum &&
      (isSigned(target) || isSigned(commonType(target, typeOf(nest, s, rhs)))))
    return false;
  return !rhs.any([&](const CExpr &e) {
    if (e.isBinary({"/", "%"}))
      return !isFloating(typeOf(nest, s, e));
    // An integer without a positive counterpart has no absolute value.
    const bool isAbs = e.kind == CExpr::Call && e.callee().ends_with("abs");
    if (e.isBinary({"+", "-", "*"}) || e.isUnary({"-"}) || isAbs)
      return isSigned(typeOf(nest, s, e));
    return e.isBinary({"<<", ">>"}) || e.isUnary({"*"}) ||
           is_contained({CExpr::Subscript, CExpr::Member, CExpr::Verbatim},
                        e.kind);
  });
}

std::optional<std::string> fusedText(const Nest &nest, const Statement &s) {
  const CExpr rhs = rhsOf(nest, s);
  if (!rhs.isBinary({"*"}))
    return std::nullopt;
  return s.fused + "(" + rhs.parts[0].source.str() + ", " +
         rhs.parts[1].source.str() + ", $" + std::to_string(s.operands.size()) +
         ")";
}

} // namespace convopt
