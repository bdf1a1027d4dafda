//===- StringTests.h - Comparisons of strings in loops ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_STRINGTESTS_H
#define CONVOPT_LIB_FRONTEND_STRINGTESTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <set>
#include <vector>

namespace convopt {

/// Parts of \p loops that compare a string, such as `strcmp(mode, "same")` and
/// `mode == "same"` of a std::string, whose variables are none of \p changed:
/// numbers that are the same in all iterations. None where the loops store
/// characters, which may be those of the string.
std::vector<const clang::Expr *>
stringTests(const clang::Stmt *loops,
            const std::set<const clang::VarDecl *> &changed);

/// The variables of \p test that are pointers, which may be null where no loop
/// runs.
std::vector<const clang::VarDecl *> pointersOf(const clang::Expr *test);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_STRINGTESTS_H
