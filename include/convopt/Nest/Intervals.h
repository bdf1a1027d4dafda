//===- Intervals.h - Intervals of index expressions -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an expression is at least, where loops run: innermost first, each loop
/// is put at the end of its range that the sign of its coefficient asks for.
/// What it is at most is the same question about `-e`.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_INTERVALS_H
#define CONVOPT_NEST_INTERVALS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// True where interval reasoning proves `e >= 0` for every iteration of
/// \p loops, outermost first. False says nothing.
bool isProvablyNonNegative(const Nest &nest, const IndexExpr &e,
                           llvm::ArrayRef<const Loop *> loops);

/// The same of all that \p c says.
bool isProvablyTrue(const Nest &nest, const Constraint &c,
                    llvm::ArrayRef<const Loop *> loops);

/// What the launcher checks for all of \p nest: each `>= 0`, over sizes that no
/// other defines.
std::vector<IndexExpr> assumedFacts(const Nest &nest);

/// 1 where the assumptions of \p nest say that \p e, over sizes, is at least 0,
/// and -1 where they say that it is at most 0; none where they say neither.
std::optional<int> signOf(const Nest &nest, const IndexExpr &e);

/// Gives 1 or -1 as `value` is least at the first or the last iteration of loop
/// \p v, 0 where it may be either, and nothing where it may be neither.
using DirectionOf =
    llvm::function_ref<std::optional<int>(const IndexExpr &value, Var v)>;
/// An end of the range of \p l, itself included, over sizes and outer loops.
using EndOf =
    llvm::function_ref<std::optional<IndexExpr>(const Loop &l, bool isLast)>;

/// Values one of which is the least that \p e takes over \p loops, outermost
/// first, each of which is put at one end, or both. None where a direction or
/// an end is missing, and where there would be more than 8.
std::vector<IndexExpr> leastAtEnds(const IndexExpr &e,
                                   llvm::ArrayRef<const Loop *> loops,
                                   DirectionOf direction, EndOf end);

/// That end of \p l where it is one bound, without a division.
std::optional<IndexExpr> onlyEnd(const Loop &l, bool isLast);

/// What \p e is at most over \p loops, outermost first, each of which is at its
/// only end; loops that have none stay. None where assumptions do not say which
/// end it is.
std::optional<IndexExpr> mostAtEnds(const Nest &nest, const IndexExpr &e,
                                    llvm::ArrayRef<const Loop *> loops);

/// The loops of \p enclosing, outermost first.
std::vector<const Loop *> loopsAmong(llvm::ArrayRef<NodeRef> enclosing);

} // namespace convopt

#endif // CONVOPT_NEST_INTERVALS_H
