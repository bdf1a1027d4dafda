//===- TemplateInstances.h - Instances that a file makes --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_TEMPLATEINSTANCES_H
#define CONVOPT_LIB_FRONTEND_TEMPLATEINSTANCES_H

#include "convopt/Nest/Nest.h"
#include "clang/AST/Decl.h"
#include <string>
#include <vector>

namespace convopt {

/// SourceNest::instances of \p f; none where it is no template.
std::vector<std::vector<std::string>>
templateInstances(const clang::FunctionDecl *f);

/// Writes down which types of \p function are signed integers in some of its
/// \p instances.
void nameSignedTypes(llvm::ArrayRef<std::vector<std::string>> instances,
                     Function &function);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_TEMPLATEINSTANCES_H
