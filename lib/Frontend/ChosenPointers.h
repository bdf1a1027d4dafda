//===- ChosenPointers.h - Elements of one of two arrays ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_CHOSENPOINTERS_H
#define CONVOPT_LIB_FRONTEND_CHOSENPOINTERS_H

#include "clang/AST/Expr.h"

namespace convopt {

/// `c ? a + k : b + k` where that is what the pointer \p e is, by variables
/// that are set once, to what does not change afterwards; else null.
const clang::ConditionalOperator *chosenPointer(const clang::Expr *e,
                                                clang::ASTContext &ast);

/// `c ? a[i] : b[i]` where \p e is an element by such a pointer; else null.
const clang::Expr *chosenElement(const clang::Expr *e, clang::ASTContext &ast);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_CHOSENPOINTERS_H
