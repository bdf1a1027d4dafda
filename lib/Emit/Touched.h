//===- Touched.h - Sizes at which an array is used --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_TOUCHED_H
#define CONVOPT_LIB_EMIT_TOUCHED_H

#include "Names.h"
#include "convopt/Program/Stmt.h"

namespace convopt::emit {

/// What holds, over sizes, where the nest as written, \p source, touches
/// anything of \p array, and does not follow from its having elements. Some of
/// it may be missing: that it holds does not show that something is touched.
std::vector<Constraint> touchedWhere(const Nest &source, unsigned array);

/// Whether \p e is a sum of products of sizes that assumptions say are not
/// negative, such as strides.
bool isNonNegative(const Nest &nest, const IndexExpr &e);

/// Sets \p count, of host code, to how many elements from the base of \p array
/// the nest as written, \p source, touches: one more than the largest offset, 0
/// where nothing is touched. The assumptions hold where \p b stands. Nothing,
/// and false, where that is what the array is taken to have, and where host
/// code would need long to find it, or much text.
bool countTouched(const Nest &source, unsigned array, Names names,
                  const program::Expr &count, program::Block &b);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_TOUCHED_H
