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
#include "llvm/ADT/ArrayRef.h"

namespace convopt {

/// True where interval reasoning proves `e >= 0` for every iteration of
/// \p loops, outermost first. False says nothing.
bool isProvablyNonNegative(const Nest &nest, const IndexExpr &e,
                           llvm::ArrayRef<const Loop *> loops);

/// The same of all that \p c says.
bool isProvablyTrue(const Nest &nest, const Constraint &c,
                    llvm::ArrayRef<const Loop *> loops);

} // namespace convopt

#endif // CONVOPT_NEST_INTERVALS_H
