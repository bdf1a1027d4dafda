//===- Readings.h - Where a value is read and set ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_READINGS_H
#define CONVOPT_LIB_FRONTEND_READINGS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include <vector>

namespace convopt {

/// Whether \p s is a loop of C or C++, in any form.
bool isLoop(const clang::Stmt *s);

/// Readings of a variable that may see a value from elsewhere, in the order of
/// the text: not those of loops that set it first, as a whole or in each
/// iteration.
struct Readings {
  std::vector<const clang::DeclRefExpr *> found;
  bool jumps = false; // there are labels or lambdas
};

/// Those of \p v in \p s, without the part \p left.
Readings readingsOf(const clang::VarDecl *v, const clang::Stmt *s,
                    const clang::Stmt *left);

/// Those in \p s of what \p v is before.
Readings readingsBefore(const clang::VarDecl *v, const clang::Stmt *s);

/// What assigns \p v in \p s, without the part \p left.
std::vector<const clang::Stmt *> assignmentsTo(const clang::VarDecl *v,
                                               const clang::Stmt *s,
                                               const clang::Stmt *left);

/// Whether a loop of \p s adds to what \p ref names.
bool isAddedTo(const clang::Stmt *s, const clang::DeclRefExpr *ref,
               bool isInLoop = false);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_READINGS_H
