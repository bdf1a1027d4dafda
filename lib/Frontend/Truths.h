//===- Truths.h - Variables that are true or false --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `int valid = 1; if (y < 0) valid &= 0; valid = valid && y < H;` is the
/// condition `y >= 0 && y < H`, whatever the type of `valid` is.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_TRUTHS_H
#define CONVOPT_LIB_FRONTEND_TRUTHS_H

#include "clang/AST/Expr.h"
#include <set>

namespace convopt {

/// The variables of a function, and of those that it calls, that are set to
/// nothing but what is true or false, more than once, by what does not depend
/// on data, and anew in each iteration of the loop around.
class Truths {
public:
  explicit Truths(const clang::Stmt *body);

  bool contains(const clang::ValueDecl *v) const { return all.count(v); }
  /// Whether \p e is 0 or 1.
  bool isTruth(const clang::Expr *e) const;

private:
  class Visitor;

  std::set<const clang::ValueDecl *> all;
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_TRUTHS_H
