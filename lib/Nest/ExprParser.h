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
/// Every function leaves a failure in the cursor where it returns nothing.
class ExprParser {
public:
  ExprParser(Cursor &cursor, const Nest &nest) : c(cursor), nest(nest) {}

  /// `16 * y_o + y_i`, with `%`, floordiv(a, b) and ceildiv(a, b).
  std::optional<IndexExpr> expr();
  /// `e` or `ceildiv(e, 16)`.
  std::optional<Bound> bound();
  /// A bound, or several as `max(a, b)` for the word \p fold.
  std::optional<std::vector<Bound>> bounds(llvm::StringRef fold);
  /// `a < b` in any of the five comparisons.
  std::optional<Constraint> constraint();
  /// Constraints joined by `and`.
  std::optional<std::vector<Constraint>> conjunction();
  /// `x[n][y + i]`: as many subscripts as array \p counted has dimensions, by
  /// default the one that is named.
  std::optional<Access> access(std::optional<unsigned> counted = std::nullopt);
  /// The name of an array.
  std::optional<unsigned> array();

  /// \p a with the buffer that the text names after it.
  std::optional<Access> buffered(Access a);

  /// The array called \p name.
  std::optional<unsigned> findArray(llvm::StringRef name) const;

  llvm::StringMap<Var> names;

private:
  using Expr = std::optional<IndexExpr>;
  Expr sum();
  Expr product();
  Expr unary();
  Expr primary();
  Expr call(llvm::StringRef function);
  Expr checked(const IndexExpr &e);
  Expr multiplied(const IndexExpr &a, const IndexExpr &b);

  Cursor &c;
  const Nest &nest;
  unsigned depth = 0;
};

} // namespace convopt

#endif // CONVOPT_LIB_NEST_EXPRPARSER_H
