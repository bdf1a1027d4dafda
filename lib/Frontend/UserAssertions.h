//===- UserAssertions.h - What a source asserts -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_USERASSERTIONS_H
#define CONVOPT_LIB_FRONTEND_USERASSERTIONS_H

#include "clang/AST/Expr.h"

namespace convopt {

/// The remedy where an assertion is in the way.
inline constexpr char withoutAssertions[] =
    "-DNDEBUG leaves assertions out: convopt FILE -- -DNDEBUG";

/// Whether an assertion in \p s reads \p ref.
bool isAsserted(const clang::Stmt *s, const clang::DeclRefExpr *ref,
                const clang::ASTContext &ast);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_USERASSERTIONS_H
