//===- Cuda.h - CUDA text of a program --------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_PRINT_CUDA_H
#define CONVOPT_PRINT_CUDA_H

#include "convopt/Program/Stmt.h"

namespace convopt {

/// \p e as CUDA, with the parentheses that it needs.
std::string cudaText(const program::Expr &e);
/// The same as a factor or another operand of `*`.
std::string cudaFactor(const program::Expr &e);

/// \p f as CUDA.
std::string cudaText(const program::FunctionDefinition &f);
/// Its declaration, without default arguments.
std::string cudaDeclaration(const program::FunctionDefinition &f);

/// The parameter that takes \p v, of the same name: `float (*in_s)[33]`.
std::string cudaParameter(const program::Variable &v);

/// \p block as CUDA, each line \p indent levels of two columns in.
std::string cudaText(const program::Block &block, unsigned indent);

/// All of \p kernel, for people and tests: its block and parameters, with the
/// memory that they point to, and its body as CUDA.
std::string programText(const program::Kernel &kernel);

} // namespace convopt

#endif // CONVOPT_PRINT_CUDA_H
