//===- HostParts.h - What host code puts into objects -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_HOSTPARTS_H
#define CONVOPT_LIB_FRONTEND_HOSTPARTS_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"

namespace convopt {

/// \p e without parentheses, conversions and copies of what it is.
const clang::Expr *bare(const clang::Expr *e);

/// The expression that the field \p path of \p object, such as `in.h`, has its
/// value from: of a list, or of the one assignment to it in the function. Null
/// where there is no such expression. What happens between that and \p object
/// is not looked at, so that the value is a guess.
const clang::Expr *valueOfPart(const clang::Expr *object, llvm::StringRef path);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_HOSTPARTS_H
