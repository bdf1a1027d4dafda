//===- CountTouched.h - How much of an array is used ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_COUNTTOUCHED_H
#define CONVOPT_LIB_EMIT_COUNTTOUCHED_H

#include "Names.h"
#include "Reach.h"
#include "convopt/Program/Stmt.h"

namespace convopt::emit {

/// Sets \p count, of host code, to how many elements of \p array, which is
/// taken to have \p elements, the nest as written, \p source, leaves before the
/// first that it touches, or has up to the last. Where nothing is touched, it
/// stays as it is, to begin with 0 for the last and all for the first. The
/// assumptions hold where \p b stands. Nothing, and false, where that is what
/// the array is taken to have: 0, or \p elements.
bool countTouched(const Nest &source, End end, unsigned array,
                  const program::Expr &elements, Names names,
                  const program::Expr &count, program::Block &b);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_COUNTTOUCHED_H
