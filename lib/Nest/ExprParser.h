//===- ExprParser.h - Index expressions in .nest text -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_NEST_EXPRPARSER_H
#define CONVOPT_LIB_NEST_EXPRPARSER_H

#include "Cursor.h"
#include "convopt/Nest/Nest.h"
#include "llvm/ADT/StringMap.h"

namespace convopt {

/// Parses expressions, bounds, conditions and accesses of \p nest. The names
/// of arrays come from the nest, those of loops and parameters from `names`.
/// Every function leaves a failure in the cursor where it returns false.
class ExprParser {
public:
  ExprParser(Cursor &cursor, const Nest &nest) : c(cursor), nest(nest) {}

  /// `16 * y_o + y_i`, with `%`, floordiv(a, b) and ceildiv(a, b).
  bool expr(IndexExpr &to);
  /// `e` or `ceildiv(e, 16)`.
  bool bound(Bound &to);
  /// A bound, or several as `max(a, b)` for the word \p fold.
  bool bounds(std::vector<Bound> &to, llvm::StringRef fold);
  /// `a < b` in any of the five comparisons.
  bool constraint(Constraint &to);
  /// Constraints joined by `and`.
  bool conjunction(std::vector<Constraint> &to);
  /// `x[n][y + i]`: as many subscripts as array \p counted has dimensions, by
  /// default the one that is named.
  bool access(Access &to, std::optional<unsigned> counted = std::nullopt);
  /// The name of an array.
  bool array(unsigned &to);

  /// The array called \p name.
  std::optional<unsigned> findArray(llvm::StringRef name) const;

  llvm::StringMap<Var> names;

private:
  bool sum(IndexExpr &to);
  bool product(IndexExpr &to);
  bool unary(IndexExpr &to);
  bool primary(IndexExpr &to);
  bool quotient(IndexExpr &num, IndexExpr &den);
  bool checked(const IndexExpr &e);
  bool multiply(IndexExpr &a, const IndexExpr &b);
  bool buffer(Access &a);

  Cursor &c;
  const Nest &nest;
  unsigned depth = 0;
};

} // namespace convopt

#endif // CONVOPT_LIB_NEST_EXPRPARSER_H
