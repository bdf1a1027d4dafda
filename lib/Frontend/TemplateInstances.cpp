//===- TemplateInstances.cpp - What a file makes of a template ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Half.h"
#include "SourceFacts.h"
#include "convopt/Nest/Arithmetic.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// What \p instance has for its template's parameters; none where some are no
/// numbers or types of them.
static std::optional<std::vector<std::string>>
valuesOf(const FunctionDecl *instance) {
  const ASTContext &ast = instance->getASTContext();
  PrintingPolicy policy(ast.getLangOpts());
  std::vector<std::string> values;
  for (const TemplateArgument &a :
       instance->getTemplateSpecializationArgs()->asArray()) {
    if (a.getKind() == TemplateArgument::Integral) {
      values.push_back(toString(a.getAsIntegral(), /*Radix=*/10));
      continue;
    }
    if (a.getKind() != TemplateArgument::Type)
      return std::nullopt;
    const QualType type = ast.getCanonicalType(a.getAsType());
    if (!isNumber(type) || type->isEnumeralType() || type.hasQualifiers())
      return std::nullopt;
    values.push_back(type.getAsString(policy));
  }
  return values;
}

std::vector<std::vector<std::string>> templateInstances(const FunctionDecl *f) {
  std::vector<std::vector<std::string>> all;
  const FunctionTemplateDecl *t = f->getDescribedFunctionTemplate();
  if (!t)
    return all;
  for (const FunctionDecl *instance : t->specializations()) {
    // Which is a function of its own.
    if (instance->getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
      continue;
    if (auto values = valuesOf(instance))
      all.push_back(std::move(*values));
  }
  return all;
}

void nameSignedTypes(ArrayRef<std::vector<std::string>> instances,
                     Function &function) {
  for (const auto &[k, name] : enumerate(function.templateArgs))
    if (is_contained(function.typeParams, name) &&
        any_of(instances, [k = k](const std::vector<std::string> &values) {
          return integerType(values[k]).isComputedSigned();
        }))
      function.signedParams.push_back(name);
}

} // namespace convopt
