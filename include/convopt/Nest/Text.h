//===- Text.h - The .nest text of a nest ------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Printing and parsing of the textual form (docs/NestFormat.md), and the
/// check that every nest must pass after parsing and after each step.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_TEXT_H
#define CONVOPT_NEST_TEXT_H

#include "convopt/Nest/Nest.h"
#include "convopt/Support/Refusal.h"

namespace convopt {

struct PrintOptions {
  bool locations = true; // ` @line:col-line:col` after each node
  bool bodyOnly = false; // loops and statements alone, for -print-after
};

/// Prints \p nest so that parseNest gives an equal value and a second print
/// gives the same bytes.
void print(const Nest &nest, llvm::raw_ostream &os, PrintOptions o = {});

/// Parses the .nest text \p text; refuses with the place in that text.
llvm::Expected<Nest> parseNest(llvm::StringRef text);

/// `5 * y_o + y_i`, the constraint and the access in the text's notation.
std::string str(const Nest &nest, const IndexExpr &e);
std::string str(const Nest &nest, const Constraint &c);
std::string str(const Nest &nest, const Access &a);
/// `a`, or `min(a, b)` of several.
std::string leastText(const Nest &nest, llvm::ArrayRef<IndexExpr> bounds);
/// The right-hand side with its operands in place.
std::string rhsText(const Nest &nest, const Statement &s);
/// "S1: sum += inputs[n][y + i][x + j] * ..." without instance and location.
std::string str(const Nest &nest, const Statement &s);

/// Scopes, arities, ids in range, unique loop ids, valid expressions, bounds
/// over enclosing loops only, constant extents of expanded dimensions, block
/// dimensions mapped once. A violation is refused as rule "well-formed".
llvm::Error checkWellFormed(const Nest &nest);

/// The same computation taken as an original: each statement occurrence gets
/// an id of its own, its current loops become its iterators, and subscripts
/// are rewritten accordingly.
Nest rebase(const Nest &nest);

} // namespace convopt

#endif // CONVOPT_NEST_TEXT_H
