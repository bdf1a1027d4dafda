//===- Records.h - Structures of numbers ------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A variable that is a structure of numbers, as a pixel or a float4 is, is one
/// variable for each field, and an array of such structures is an array of
/// numbers whose pointers move by a structure.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_RECORDS_H
#define CONVOPT_LIB_FRONTEND_RECORDS_H

#include "clang/AST/ExprCXX.h"

namespace convopt {

/// The fields of \p type where it is a structure of numbers: it has no bases,
/// no virtual functions, no fields of other types, and copies as they do. Empty
/// otherwise.
std::vector<const clang::FieldDecl *> recordFields(clang::QualType type);

/// What memory of structures is: numbers of one type, one after the other.
struct RecordElements {
  clang::QualType element;
  int64_t count;
};

/// Those of \p type; none where its fields are of several types, or are padded.
std::optional<RecordElements> recordElements(clang::QualType type);

/// The variable that stands for field \p f of \p v, a variable of a function.
const clang::VarDecl *fieldVariable(const clang::VarDecl *v,
                                    const clang::FieldDecl *f);

/// The variable that stands for field \p f of `this`, in any method.
const clang::VarDecl *fieldOfThis(const clang::FieldDecl *f);

/// The variable that \p m, a field of a variable or of `this`, may stand for,
/// or null.
const clang::VarDecl *memberVariable(const clang::MemberExpr *m);

/// Field \p f of the value of \p e: of `{a, b}` and `make_float2(a, b)` what
/// stands for it there, and of others a member of \p e.
const clang::Expr *memberOf(const clang::Expr *e, const clang::FieldDecl *f);

/// Whether \p init, the initialiser of a structure's variable, leaves field \p
/// f unset: `P p;` of C++.
bool leavesUnset(const clang::Expr *init, const clang::FieldDecl *f);

/// The call with a visible body whose value \p e is a field of, or null.
const clang::CallExpr *callOfMember(const clang::MemberExpr *e);

/// \p e without what copies a structure.
const clang::Expr *withoutCopies(const clang::Expr *e);

/// A structure that a function declares and sets in its last statements, as in
/// `P p; p.x = a; p.y = b; return p;`: of nothing else it is a part.
struct BuiltRecord {
  const clang::Stmt *declaration;
  size_t first;             // of the statements that set it
  const clang::Expr *value; // `{a, b}`
};

/// The one that \p body, which ends with a `return`, returns; none where it
/// returns something else.
std::optional<BuiltRecord>
builtRecord(llvm::ArrayRef<const clang::Stmt *> body);

/// A variable called \p name that the source does not have, of what stands at
/// \p at in \p function.
clang::DeclRefExpr *addedVariable(const clang::DeclContext *function,
                                  clang::SourceLocation at,
                                  llvm::StringRef name, clang::QualType type);

/// The assignment of a whole structure of numbers that \p s is: its target and
/// its value, or null.
std::pair<const clang::Expr *, const clang::Expr *>
recordAssignment(const clang::Stmt *s);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_RECORDS_H
