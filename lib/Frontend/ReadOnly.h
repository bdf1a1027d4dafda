//===- ReadOnly.h - Functions without side effects --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_READONLY_H
#define CONVOPT_LIB_FRONTEND_READONLY_H

#include "clang/AST/Expr.h"
#include <string>

namespace convopt {

struct PureCallee {
  std::string name;
  bool isPure = false; // one of the math functions that CUDA also has
  bool isStd = false;  // written or found in namespace std
};

/// What \p call calls; in a template also where the overload is still open.
PureCallee pureCallee(const clang::CallExpr *call);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_READONLY_H
