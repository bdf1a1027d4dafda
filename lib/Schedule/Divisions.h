//===- Divisions.h - Divisions by sizes in a body ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A transposed convolution divides in guards and subscripts by a stride that
/// is known at run time. Unlike additions into sums, which compilers take in
/// their stride, each division unrolled is some thirty instructions, with
/// branches between them where a guard asks for it.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_DIVISIONS_H
#define CONVOPT_LIB_SCHEDULE_DIVISIONS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// Statements that a compiler takes as long for as for one division by a size.
constexpr int64_t OfDivision = 64;

/// How many divisions by sizes the guards and subscripts of \p p come to once
/// \p inside, loops around it, are unrolled. Each counts for the iterations
/// of those loops that it uses.
int64_t divisionsOf(const Nest &nest, const StatementPath &p,
                    llvm::ArrayRef<const Loop *> inside);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_DIVISIONS_H
