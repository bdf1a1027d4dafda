//===- CallSites.h - Calls that another function takes over -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_CALLSITES_H
#define CONVOPT_LIB_FRONTEND_CALLSITES_H

#include "ParseErrors.h"
#include "convopt/Frontend/Frontend.h"
#include "clang/AST/ExprCXX.h"

namespace convopt {

/// The launches of \p kernel in the main file's text that one of a function
/// called \p added, with the same parameters, can replace, in their order;
/// others are reported on stderr. In \p broken bodies, those are where Clang
/// knows what each mention of the name is.
std::vector<LaunchSite> launchSites(clang::ASTContext &ast,
                                    const clang::FunctionDecl *kernel,
                                    llvm::StringRef added,
                                    llvm::ArrayRef<BrokenBody> broken);

/// The calls of \p function that one of \p added can replace, as above.
std::vector<CallSite> callSites(clang::ASTContext &ast,
                                const clang::FunctionDecl *function,
                                llvm::StringRef added,
                                llvm::ArrayRef<BrokenBody> broken);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_CALLSITES_H
