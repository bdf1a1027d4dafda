//===- Meaning.h - What the text of statements means ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements whose text moves to a function of its own may find other
/// declarations there: a namesake at file scope, a macro that has changed. So
/// both are read, and have to mean the same.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_MEANING_H
#define CONVOPT_LIB_FRONTEND_MEANING_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace convopt {

/// A name, type, operator, literal or kind of statement, and where it stands.
/// Variables of functions and fields of `this` are their names; what is
/// declared elsewhere has its scope and type.
struct Meaning {
  std::string what;
  clang::SourceRange where;
};

/// The meanings in \p statements, in the order of the text; variables stand
/// for the expressions of \p named.
std::vector<Meaning>
meaningsOf(const clang::ASTContext &ast,
           llvm::ArrayRef<const clang::Stmt *> statements,
           const std::map<const clang::Stmt *, std::string> &named = {});

/// The same of the parameters and the body of \p f.
std::vector<Meaning> meaningsOf(const clang::FunctionDecl *f);

/// Whether the name of \p d alone means it beside \p f, and in a function with
/// the parameters and variables of \p f.
bool isSeenBeside(const clang::FunctionDecl *f, const clang::NamedDecl *d);

/// Whether \p name has a meaning where \p f is declared.
bool isNameBeside(const clang::FunctionDecl *f, llvm::StringRef name);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_MEANING_H
