//===- CExpr.h - Expressions of C source text -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SOURCE_CEXPR_H
#define CONVOPT_SOURCE_CEXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace convopt {

/// What a right-hand side (Statement::text) says, as a tree over its text,
/// which has to outlive it. Parentheses are the tree's shape.
struct CExpr {
  enum Kind : uint8_t {
    Literal,   // `0.5f`, `true`
    Name,      // `alpha`, `ns::scale`, a type within `sizeof`
    Operand,   // `$3`
    Unary,     // `-a`
    Binary,    // `a * b`
    Choice,    // `a ? b : c`
    Call,      // `std::fmax(a, b)`, `T(a)` of an unknown T, `a.f(b)` of a and b
    Cast,      // `(T)a`, `T(a)`, `static_cast<T>(a)`
    Subscript, // `a[b]`
    Member,    // `a.b`, `a->b`
    Verbatim,  // other text; parts are its words, literals, operands, and its
               // signs as Unary without parts
  } kind;
  /// All of its text, without parentheses around it.
  llvm::StringRef source;
  /// Its own part of the text: what it is called or converted to, the operator.
  llvm::StringRef token;
  std::vector<CExpr> parts = {};

  bool isUnary(llvm::ArrayRef<llvm::StringRef> operators) const;
  bool isBinary(llvm::ArrayRef<llvm::StringRef> operators) const;
  /// The number of an operand.
  unsigned hole() const;
  /// What a call calls, without scopes and template arguments.
  llvm::StringRef callee() const;

  /// Calls \p visit with this and all within, each before its parts.
  void walk(llvm::function_ref<void(const CExpr &)> visit) const;
  /// Whether \p is holds for this or one within.
  bool any(llvm::function_ref<bool(const CExpr &)> is) const;
  /// `source` with each token replaced.
  std::string
  replaced(llvm::function_ref<std::string(const CExpr &)> token) const;
};

/// The tree of \p text, whose names are types of C where they spell one, and
/// where \p isType says so. Text that is no expression, or whose meaning hangs
/// on more than that, is one Verbatim.
CExpr parseCExpr(llvm::StringRef text,
                 llvm::function_ref<bool(llvm::StringRef)> isType = nullptr);

} // namespace convopt

#endif // CONVOPT_SOURCE_CEXPR_H
