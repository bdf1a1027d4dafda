//===- Arithmetic.h - What right-hand sides compute in ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_ARITHMETIC_H
#define CONVOPT_NEST_ARITHMETIC_H

#include "convopt/Nest/Nest.h"
#include "convopt/Source/CExpr.h"
#include "convopt/Source/CTypes.h"

namespace convopt {

/// Whether \p name is a type of the nest's arrays or templates.
bool isNamedType(const Nest &nest, llvm::StringRef name);

/// The tree of \p text, which is a right-hand side or fills a buffer of \p
/// nest. The types of the nest's arrays and templates are types in it.
CExpr treeOf(const Nest &nest, llvm::StringRef text);
/// That of the right-hand side of \p s.
inline CExpr rhsOf(const Nest &nest, const Statement &s) {
  return treeOf(nest, s.text);
}

/// The types of what \p s has besides operands: literals (`int`, `long long`,
/// `double`), scalar arguments and casts. Of another name, as of a function,
/// the name.
std::vector<llvm::StringRef> typesOfWords(const Nest &nest, const Statement &s);

/// That of an index is int.
llvm::StringRef typeOf(const Nest &nest, const Operand &o);

/// The type in which C++ has \p e, a part of the right-hand side of \p s; empty
/// where the nest does not say, as of a constant of the file. A function that
/// is not known is taken for one of its arguments' common type.
llvm::StringRef typeOf(const Nest &nest, const Statement &s, const CExpr &e);

/// Whether the nest computes with values of \p type, which is known by its name
/// alone, as C++ does with integers alone: `%`, shifts, operators on bits.
bool needsInteger(const Nest &nest, llvm::StringRef type);

/// Whether C++ defines \p s for all values of what it reads: it has no division
/// or shift of integers, nor a sum or product in a signed type, which can
/// overflow. A type of the nest's arrays and templates that is known by its
/// name alone is taken for one of floating point in sums and products, and so
/// is a value that is known by its name; another type and a member may be
/// integers.
bool isTotal(const Nest &nest, const Statement &s);

/// What the target of \p s, whose product a function adds (Statement::fused),
/// is set to: "fmaf($0, $1, $2)", where the operand after its own is the
/// target. None where the text is no product.
std::optional<std::string> fusedText(const Nest &nest, const Statement &s);

} // namespace convopt

#endif // CONVOPT_NEST_ARITHMETIC_H
