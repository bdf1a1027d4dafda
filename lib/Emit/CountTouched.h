//===- CountTouched.h - How much of an array is used -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_COUNTTOUCHED_H
#define CONVOPT_LIB_EMIT_COUNTTOUCHED_H

#include "Names.h"
#include "convopt/Nest/Touched.h"
#include "convopt/Program/Stmt.h"

namespace convopt::emit {

/// Sets \p count, of host code, to how many elements from the base of \p array,
/// which is taken to have \p elements, the nest as written, \p source, touches:
/// one more than the largest offset, 0 where nothing is touched. The
/// assumptions hold where \p b stands. Nothing, and false, where that is what
/// the array is taken to have.
bool countTouched(const Nest &source, unsigned array,
                  const program::Expr &elements, Names names,
                  const program::Expr &count, program::Block &b);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_COUNTTOUCHED_H
