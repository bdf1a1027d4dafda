//===- Headline.h - Statements in messages ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_HEADLINE_H
#define CONVOPT_LIB_PROGRAM_HEADLINE_H

#include "convopt/Program/Stmt.h"

namespace convopt::program {

/// What \p s is, and of which variable: "assignment to 'sum' (conv.c:12)".
std::string headline(const Stmt &s);

/// What a call does, as CUDA or this project's helpers name it.
llvm::StringRef nameOf(const CalledFunction &f);

/// Whether \p call, a statement, has as many arguments as its function takes.
bool hasItsArguments(const Expr &call);

/// Whether \p e is of a variable that is no array: `x` has no subscripts.
inline bool isScalar(const Expr &e) {
  return (e.kind() == Expr::Use || e.kind() == Expr::Element) &&
         e.operands().empty() && !e.variable()->isArray();
}

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_HEADLINE_H
