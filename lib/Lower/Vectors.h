//===- Vectors.h - Copies that move several elements at once ----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The kernel has two instances where it copies by vectors or boxes from
/// arrays: one for sizes and pointers that align every row, and one that moves
/// single elements. What the launcher tests and what launchOf evaluates come
/// from here.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_VECTORS_H
#define CONVOPT_LIB_LOWER_VECTORS_H

#include "Names.h"
#include "convopt/Nest/Rows.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace convopt::lower {

/// A copy from an array by vectors.
struct VectorCopy {
  const Copy *copy;
  int64_t vector; // elements
  CopyRows rows;

  const Array &array(const Nest &nest) const {
    return nest.arrays[nest.arrays[copy->buffer].buffer->of];
  }
};
std::vector<VectorCopy> vectorCopies(const Nest &nest);

/// Refuses (rule "limit") vectors that no access moves.
llvm::Error checkVectorSizes(const Nest &nest);

/// What vectors, or a TMA tensor copy, need of an array: it begins at a
/// multiple of a vector, and the sizes `multiples` are multiples of one.
struct AlignedArray {
  const Array *array;
  int64_t vector; // elements
  std::vector<IndexExpr> multiples, notNegative;
};
std::vector<AlignedArray> alignedArrays(const Nest &nest);

/// `W % 4 == 0 && (uintptr_t)in % 16 == 0`: whether \p arrays, which
/// \p pointerOf gives, are aligned.
program::Expr
areAligned(llvm::ArrayRef<AlignedArray> arrays,
           llvm::function_ref<program::Expr(const Array &)> pointerOf,
           const Names &names);
/// The same for sizes given by \p value and pointers that are aligned.
bool isAligned(
    llvm::ArrayRef<AlignedArray> arrays,
    llvm::function_ref<std::optional<int64_t>(const IndexExpr &)> value);

/// How many elements a copy of \p buffer moves at once, as a constant; from or
/// to an array, one of the instance \p aligned.
program::Expr vectorOf(const Array &buffer);
program::Expr vectorOf(const Array &buffer, program::VariableRef aligned);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_VECTORS_H
