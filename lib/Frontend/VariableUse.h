//===- VariableUse.h - What a function does with its variables --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Before a nest is built: which integer variables hold data rather than an
/// index, and which variables a statement assigns.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_VARIABLEUSE_H
#define CONVOPT_LIB_FRONTEND_VARIABLEUSE_H

#include "clang/AST/ASTContext.h"
#include <set>

namespace convopt {

class VariableUse {
public:
  VariableUse(clang::ASTContext &ast, const clang::Stmt *body);

  /// True for a variable whose value comes from an array, or that is updated
  /// in place and is no index: an accumulator.
  bool holdsData(const clang::VarDecl *v) const { return data.count(v) != 0; }
  /// How often \p v is assigned after its declaration, loop headers apart.
  unsigned assignments(const clang::VarDecl *v) const;
  /// True for a variable that a subscript, a pointer, the end of a loop or a
  /// `switch` is computed from.
  bool isPlace(const clang::VarDecl *v) const { return places.count(v) != 0; }
  /// One more than the largest constant that \p p is subscripted with, where
  /// it points at integers, is only read so, and some of them are sizes: they
  /// are in a bound, a subscript, or the value of a variable outside of the
  /// loops.
  unsigned sizesOf(const clang::VarDecl *p) const {
    auto it = sizes.find(p);
    return it == sizes.end() ? 0 : it->second;
  }
  bool isAddressTaken(const clang::VarDecl *v) const {
    return addressTaken.count(v) != 0;
  }

  /// The variables that \p s assigns anywhere, loop headers included.
  static std::set<const clang::VarDecl *> assignedIn(const clang::Stmt *s);
  /// Whether \p list sets \p v on every path before it uses it.
  static bool isSetFirst(llvm::ArrayRef<const clang::Stmt *> list,
                         const clang::VarDecl *v);

private:
  class Visitor;

  std::map<const clang::VarDecl *, unsigned> assigned;
  std::map<const clang::VarDecl *, unsigned> sizes;
  std::set<const clang::VarDecl *> data, places, addressTaken;
};

/// The parts of `a, b, c`; none of null.
llvm::SmallVector<const clang::Expr *> commaParts(const clang::Expr *e);

/// The variable that \p e steps: of `i++`, `i -= 2` and `i = i + 1`, or null.
const clang::VarDecl *steppedVariable(const clang::Expr *e);

/// The same, but null where the new value does not come from the old one.
const clang::VarDecl *countedVariable(const clang::Expr *e);

/// The variable that the header of \p f steps and compares, or null.
const clang::VarDecl *variableOf(const clang::ForStmt *f);

/// The variable that \p e names, through parentheses and conversions.
const clang::VarDecl *namedVariable(const clang::Expr *e);

/// What \p e is the address of, `&x`; \p e itself where it is none.
const clang::Expr *withoutAddressOf(const clang::Expr *e);

/// What \p s itself assigns, or nothing.
const clang::Expr *assignedBy(const clang::Stmt *s);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_VARIABLEUSE_H
