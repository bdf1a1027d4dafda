//===- NestedVectors.h - Vectors of vectors as one array --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rows of a std::vector of std::vectors lie anywhere in memory. Loops that
/// become a function take a view of a copy in which they lie one after another,
///
///   for (...) out[i][j] += in[i + a][j];
///                     ->
///   copied<float> in_rows(in), out_rows(out);
///   if (in_rows.isEven && out_rows.isEven && &in != &out) {
///     nest(in_rows.view(), out_rows.view(), ...);
///     out_rows.store(out);
///   } else
///     for (...) out[i][j] += in[i + a][j];
///
/// whose subscripts mean what theirs do. Of vectors of more levels, a subscript
/// of the view is a view of one level less. A name for a row, as in `const auto
/// &row = in[i];`, is one for what the view has there. Rows of several lengths,
/// and one vector under two names, are left to the loops as they are.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_NESTEDVECTORS_H
#define CONVOPT_LIB_FRONTEND_NESTEDVECTORS_H

#include "clang/AST/ExprCXX.h"

namespace convopt {

/// Whether \p type is that of such a view: its fields are `data`, and then how
/// many there are in each, from the outermost level on.
bool isCopyView(clang::QualType type);

class NestedVectors {
public:
  /// Those of \p passed of which \p loops only use elements, names for rows,
  /// and how many there are. Names of what is added begin with \p prefix.
  NestedVectors(const clang::Stmt *loops,
                llvm::ArrayRef<const clang::VarDecl *> passed,
                std::string prefix);

  bool empty() const { return all.empty(); }
  bool isOne(const clang::VarDecl *v) const;
  /// Expressions of the loops that are numbers of rows and columns, each with
  /// the name of the parameter for it.
  const std::map<const clang::Stmt *, std::string> &sizes() const {
    return sizeNames;
  }
  /// References to rows, whose types are `auto &&` for views.
  llvm::ArrayRef<const clang::VarDecl *> rows() const { return references; }
  /// Calls `in[i].data()` of what is a pointer of views.
  llvm::ArrayRef<const clang::CXXMemberCallExpr *> calls() const {
    return dataCalls;
  }
  /// Templates, which stand before the function.
  std::string definitions() const;
  std::string parameterOf(const clang::VarDecl *v) const;
  std::string argumentOf(const clang::VarDecl *v) const;
  std::vector<std::string> sizeParameters() const, sizeArguments() const;
  /// What stands before the call of the function, and after its semicolon,
  /// where the loops follow as they are.
  std::string beforeCall() const, afterCall() const;

private:
  std::string nameOf(const clang::VarDecl *v, llvm::StringRef what) const;

  std::vector<const clang::VarDecl *> all;
  std::map<const clang::Stmt *, std::string> sizeNames;
  std::map<std::string, std::string> sizeValues; // by their names
  std::vector<const clang::VarDecl *> references;
  std::vector<const clang::CXXMemberCallExpr *> dataCalls;
  std::string prefix;
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_NESTEDVECTORS_H
