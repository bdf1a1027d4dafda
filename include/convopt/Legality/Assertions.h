//===- Assertions.h - Are the assertions of a program true? -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LEGALITY_ASSERTIONS_H
#define CONVOPT_LEGALITY_ASSERTIONS_H

#include "convopt/Program/Stmt.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// Fails with the first assertion of \p kernel that does not follow from what
/// is around it: assertions that are given, conditions, bounds of loops, values
/// of constants and the threads of a block. Integers count as unbounded: that
/// none overflows is the launcher's to check.
///
/// An assertion says that a sum of products of variables is not negative. Where
/// the variable of a loop is in a product, its end is taken at which the sum is
/// least; what remains is a linear question, each product a variable of its
/// own, which isl answers.
llvm::Error checkAssertions(const program::Kernel &kernel);

} // namespace convopt

#endif // CONVOPT_LEGALITY_ASSERTIONS_H
