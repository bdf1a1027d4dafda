//===- Cuda.h - CUDA text of a program --------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_PRINT_CUDA_H
#define CONVOPT_PRINT_CUDA_H

#include "convopt/Program/Stmt.h"

namespace convopt::print {

/// \p e as CUDA, with the parentheses that it needs.
std::string text(const program::Expr &e);
/// The same as a factor or another operand of `*`.
std::string factorText(const program::Expr &e);

/// \p block as CUDA, each line \p indent levels of two columns in.
std::string text(const program::Block &block, unsigned indent);

/// All of \p kernel, for people and tests: its block and parameters, with the
/// memory that they point to, and its body as CUDA.
std::string text(const program::Kernel &kernel);

} // namespace convopt::print

#endif // CONVOPT_PRINT_CUDA_H
