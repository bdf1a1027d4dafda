//===- DeclaredNames.h - What a file already declares -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_DECLAREDNAMES_H
#define CONVOPT_LIB_FRONTEND_DECLAREDNAMES_H

#include "convopt/Frontend/Frontend.h"
#include "clang/Frontend/ASTUnit.h"

namespace convopt {

/// What is declared in the scope of \p function, and all macros.
std::vector<DeclaredName> declaredNames(clang::ASTUnit &unit,
                                        const clang::FunctionDecl *function);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_DECLAREDNAMES_H
