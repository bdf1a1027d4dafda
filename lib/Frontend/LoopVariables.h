//===- LoopVariables.h - What loops use of their function -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_LOOPVARIABLES_H
#define CONVOPT_LIB_FRONTEND_LOOPVARIABLES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <optional>
#include <string>

namespace convopt {

/// The variables of a function that a part of it uses, by what a function made
/// of that part does with them.
struct LoopVariables {
  using Set = llvm::SetVector<const clang::VarDecl *>;
  /// Have a value that is passed.
  Set passed;
  /// Are set once, by arithmetic on others, and declared again with that value,
  /// each after those that it uses.
  llvm::MapVector<const clang::VarDecl *, const clang::Expr *> computed;
  /// Are set by the loops: declared again, with what they start as where the
  /// loops may read that.
  llvm::MapVector<const clang::VarDecl *, const clang::Expr *> own;
  /// Of `own`, numbers whose values other statements give or take, by variable.
  struct Carried {
    bool starts = false; // at a value that is passed
    bool isRead = false; // after the loops, or when they run again
  };
  llvm::MapVector<const clang::VarDecl *, Carried> carried;
  /// Those of `computed` and `own` that the loops alone read.
  Set unread;
  /// Declarations of types, constants and names around the loops.
  std::vector<const clang::DeclStmt *> names;
  /// Comparisons within the loops that no iteration changes, whose results are
  /// passed.
  std::vector<const clang::Expr *> tests;

  /// Why the part is no function, and where.
  struct Obstacle {
    std::string rule, message, remedy;
    clang::SourceRange where;
  };
  std::optional<Obstacle> obstacle;
  /// The same where nothing but loops can be a nest.
  std::optional<Obstacle> alone;
};

LoopVariables variablesOf(clang::ASTContext &ast, const clang::FunctionDecl *f,
                          const clang::Stmt *loops);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_LOOPVARIABLES_H
