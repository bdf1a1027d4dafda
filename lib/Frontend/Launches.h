//===- Launches.h - Calls and launches of a function ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_LAUNCHES_H
#define CONVOPT_LIB_FRONTEND_LAUNCHES_H

#include "ThreadMapping.h"
#include "convopt/Frontend/Frontend.h"

namespace convopt {

/// Every call and launch of \p function, or of an explicit specialization of
/// it, in the translation unit, instantiations of templates apart.
std::vector<const clang::CallExpr *>
callsOf(clang::ASTContext &ast, const clang::FunctionDecl *function);

/// Where else \p function is named, but for queries of a kernel: what takes its
/// address, so that it may be called or launched by that.
std::vector<const clang::Expr *>
addressesOf(clang::ASTContext &ast, const clang::FunctionDecl *function);

/// Whether \p f is an explicit specialization of a template.
bool isSpecialized(const clang::FunctionDecl *f);

/// Every launch of \p kernel in the translation unit, instantiations of
/// templates and explicit specializations apart.
std::vector<const clang::CUDAKernelCallExpr *>
launchesOf(clang::ASTContext &ast, const clang::FunctionDecl *kernel);

/// What all launches of \p kernel in the translation unit give constant
/// number \p parameter of its template; none where they differ, or where there
/// is none.
std::optional<int64_t> launchedConstant(clang::ASTContext &ast,
                                        const clang::FunctionDecl *kernel,
                                        unsigned parameter);

/// What the host passes for grid and block, over the kernel's parameters; none
/// where launches differ or do not say. Nothing of the grid but where \p
/// ofGrid: parts of arguments in it that the kernel itself does not read become
/// parameters of its nest.
LaunchFacts launchFacts(clang::ASTContext &ast,
                        llvm::ArrayRef<const clang::CUDAKernelCallExpr *> calls,
                        NestBuilder &kernel, bool ofGrid);

/// \p e without parentheses, conversions and copies of what it is.
const clang::Expr *bare(const clang::Expr *e);

/// The expression that the field \p path of \p object, such as `in.h`, has its
/// value from: of a list, or of the one assignment to it in the function. Null
/// where there is no such expression. What happens between that and \p object
/// is not looked at, so that the value is a guess.
const clang::Expr *valueOfPart(const clang::Expr *object, llvm::StringRef path);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_LAUNCHES_H
