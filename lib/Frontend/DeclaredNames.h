//===- DeclaredNames.h - What a file already declares -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_DECLAREDNAMES_H
#define CONVOPT_LIB_FRONTEND_DECLAREDNAMES_H

#include "Invocation.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace convopt {

/// What is declared in the scope of \p function, and all macros.
std::vector<DeclaredName> declaredNames(const ParsedFile &file,
                                        const clang::FunctionDecl *function);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_DECLAREDNAMES_H
