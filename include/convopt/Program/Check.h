//===- Check.h - Rules that programs keep -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What holds of every program, whatever it computes. A program that
/// breaks a rule is a bug of what made it.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_PROGRAM_CHECK_H
#define CONVOPT_PROGRAM_CHECK_H

#include "convopt/Program/Stmt.h"
#include "llvm/Support/Error.h"

namespace convopt::program {

/// The error names a rule and the statement that breaks it. The rules:
///
/// - scope: variables are declared before they are used, in a block around the
///   use and once there, and a name means the variable that it prints;
/// - types: conditions are boolean, subscripts, bounds and what is computed
///   with are integers, vectors go to vectors, and atomic updates are of
///   elements that threads share and for which CUDA has them;
/// - subscripts: a pointer has one, an array one for each extent, or fewer
///   where a part of it is meant;
/// - constants: what is constant has a value and is not assigned to;
/// - calls: functions that do something are statements, those with a value are
///   not, and each has its arguments; kernels call nothing of the host's;
/// - uniform control: all threads of a block come to each barrier, commit and
///   wait for copies together, and so they come to each exchange of values
///   between lanes, whose warps are full;
/// - shared memory: what is read of it has arrived for all threads, and is what
///   was brought for the box that is read; nothing is written that a thread
///   may still read. It is asked of what keeps the other rules.
///
/// For tests of what rules are worth: \p without is one that is not asked
/// about.
llvm::Error check(const Kernel &kernel, llvm::StringRef without = "");
/// The same of a kernel and, but for the last two rules, of host code. Of
/// functions that CUDA, C or the file has, what they take is not known; what a
/// call gives has the type that it says.
llvm::Error check(const FunctionDefinition &function);

} // namespace convopt::program

#endif // CONVOPT_PROGRAM_CHECK_H
