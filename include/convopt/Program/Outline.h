//===- Outline.h - Rare branches as functions of their own ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_PROGRAM_OUTLINE_H
#define CONVOPT_PROGRAM_OUTLINE_H

#include "convopt/Program/Stmt.h"

namespace convopt::program {

/// Has a function named \p function, with the kernel's \p templateArguments
/// (`<Offset>`, or nothing), run what few threads run (If::renewed),
/// and what follows it in its block, so that its registers are not the
/// kernel's (hot and cold splitting):
///
///     float sum[4];                  float sum[4];
///     ...                            ...
///     if (again) {                   if (again) {
///       ... // sum anew                again(y);  // declares sum, too
///     }                              } else {
///     y[...] = sum[...];               y[...] = sum[...];
///                                    }
///
/// The body uses variables in \p everywhere without taking them. A branch stays
/// where it is if it takes what no function can (an array in registers, a
/// barrier), changes what is outside, or if what follows copies or waits.
/// At most one branch is outlined.
void outlineRare(Kernel &kernel, const std::string &function,
                 const std::string &templateArguments,
                 llvm::ArrayRef<VariableRef> everywhere);

/// The functions of \p block (Scope::function).
std::vector<const Scope *> outlinedIn(const Block &block);

} // namespace convopt::program

#endif // CONVOPT_PROGRAM_OUTLINE_H
