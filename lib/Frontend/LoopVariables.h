//===- LoopVariables.h - What loops use of their function -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_LOOPVARIABLES_H
#define CONVOPT_LIB_FRONTEND_LOOPVARIABLES_H

#include "clang/AST/ASTContext.h"

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

/// Comparisons in \p loops that have one value in all iterations:
/// - of strings, such as `strcmp(mode, "same")` and `mode == "same"` of a
///   std::string. None where the loops store characters, which may be those of
///   the string.
/// - of floating point, such as `beta == 0.0f`, in the condition of an `if`.
/// The variables in them are those that \p keepsValue says the loops leave
/// alone.
std::vector<const clang::Expr *>
invariantTests(clang::ASTContext &ast, const clang::Stmt *loops,
               llvm::function_ref<bool(const clang::VarDecl *)> keepsValue);

/// The variables of \p test that are pointers, which may be null where no loop
/// runs.
std::vector<const clang::VarDecl *> pointersOf(const clang::Expr *test);

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

/// The remedy where an assertion is in the way.
inline constexpr char withoutAssertions[] =
    "-DNDEBUG leaves assertions out: convopt FILE -- -DNDEBUG";

/// Whether an assertion in \p s reads \p ref.
bool isAsserted(const clang::Stmt *s, const clang::DeclRefExpr *ref,
                const clang::ASTContext &ast);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_LOOPVARIABLES_H
