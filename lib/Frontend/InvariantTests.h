//===- InvariantTests.h - Comparisons that stay in loops --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_INVARIANTTESTS_H
#define CONVOPT_LIB_FRONTEND_INVARIANTTESTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace convopt {

/// Comparisons in \p loops that have one value in all iterations:
/// - of strings, such as `strcmp(mode, "same")` and `mode == "same"` of a
///   std::string. None where the loops store characters, which may be those of
///   the string.
/// - of floating point, such as `beta == 0.0f`, in the condition of an `if`.
/// The variables in them are those that \p keepsValue says the loops leave
/// alone.
std::vector<const clang::Expr *>
invariantTests(clang::ASTContext &ast, const clang::Stmt *loops,
               llvm::function_ref<bool(const clang::VarDecl *)> keepsValue);

/// The variables of \p test that are pointers, which may be null where no loop
/// runs.
std::vector<const clang::VarDecl *> pointersOf(const clang::Expr *test);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_INVARIANTTESTS_H
