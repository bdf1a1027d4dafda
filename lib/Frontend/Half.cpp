//===- Half.cpp - 16-bit numbers of CUDA's headers ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Half.h"
#include "ReadOnly.h"
#include "clang/Basic/SourceManager.h"

using namespace llvm;
using namespace clang;

namespace convopt {

bool isHalf(QualType type) {
  const CXXRecordDecl *r =
      type.isNull() ? nullptr
                    : type.getNonReferenceType()->getAsCXXRecordDecl();
  return r && r->getIdentifier() &&
         is_contained({"__half", "__nv_bfloat16"}, r->getName()) &&
         r->getASTContext().getSourceManager().isInSystemHeader(
             r->getLocation());
}

bool isOfHostAlone(QualType type) {
  const auto *b = type->getAs<BuiltinType>();
  return type->isAnyComplexType() || type->isBitIntType() ||
         (b && is_contained({BuiltinType::Float16, BuiltinType::BFloat16,
                             BuiltinType::Float128, BuiltinType::LongDouble},
                            b->getKind()));
}

bool isNumber(QualType type) {
  return (type->isArithmeticType() && !isOfHostAlone(type)) ||
         type->isDependentType() || isHalf(type);
}

bool isOfNumbers(const CXXOperatorCallExpr *o) {
  return o->isTypeDependent() ||
         (isHalf(o->getArg(0)->getType()) && !visibleDefinition(o));
}

/// The types that a function of CUDA's headers converts from and to.
static std::pair<StringRef, StringRef> convertedBy(StringRef function) {
  return StringSwitch<std::pair<StringRef, StringRef>>(function)
      .Case("__half2float", {"__half", "float"})
      .Case("__bfloat162float", {"__nv_bfloat16", "float"})
      .Cases({"__float2half", "__float2half_rn"}, {"float", "__half"})
      .Cases({"__float2bfloat16", "__float2bfloat16_rn"},
             {"float", "__nv_bfloat16"})
      .Default({});
}

std::optional<BinaryOperatorKind> halfOperator(const Expr *e) {
  const auto *call = dyn_cast<CallExpr>(e);
  if (!call || call->getNumArgs() != 2 || visibleDefinition(call) ||
      !isHalf(call->getArg(0)->getType()))
    return std::nullopt;
  return StringSwitch<std::optional<BinaryOperatorKind>>(pureCallee(call).name)
      .Case("__hadd", BO_Add)
      .Case("__hsub", BO_Sub)
      .Case("__hmul", BO_Mul)
      .Case("__hdiv", BO_Div)
      .Case("__hlt", BO_LT)
      .Case("__hle", BO_LE)
      .Case("__hgt", BO_GT)
      .Case("__hge", BO_GE)
      .Case("__heq", BO_EQ)
      .Default(std::nullopt);
}

std::optional<HalfConversion> halfConversion(const Expr *e) {
  if (const auto *made = dyn_cast<CXXConstructExpr>(e))
    if (isHalf(made->getType()) && made->getNumArgs() == 1) {
      const Expr *value = made->getArg(0);
      const bool isCopy = isHalf(value->getType());
      return HalfConversion{
          isCopy ? "" : made->getConstructor()->getParent()->getName().str(),
          value};
    }
  const auto *call = dyn_cast<CallExpr>(e);
  if (!call || visibleDefinition(call))
    return std::nullopt;
  if (const auto *method = dyn_cast<CXXMemberCallExpr>(e))
    return isa_and_nonnull<CXXConversionDecl>(method->getMethodDecl()) &&
                   isHalf(method->getObjectType()) &&
                   e->getType()->isArithmeticType()
               ? std::optional(
                     HalfConversion{e->getType().getAsString(),
                                    method->getImplicitObjectArgument()})
               : std::nullopt;
  const auto [from, to] = convertedBy(pureCallee(call).name);
  if (to.empty() || call->getNumArgs() != 1)
    return std::nullopt;
  return HalfConversion{to.str(), call->getArg(0), from.str()};
}

} // namespace convopt
