//===- HostStatements.h - What host code is made of -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Host code is lowered to programs, as kernels are. What CUDA and C have is
/// named, and its types by how C spells them.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_HOSTSTATEMENTS_H
#define CONVOPT_LIB_LOWER_HOSTSTATEMENTS_H

#include "convopt/Program/Stmt.h"

namespace convopt::lower {

using program::add;
using program::Block;
using program::Expr;
using program::FunctionDefinition;
using program::Helper;
using program::Type;

inline Type handle(std::string name) { return {Type::Handle, std::move(name)}; }
inline Type pointer(std::string element) { return handle(element + " *"); }
inline Type wide(std::string name) { return {Type::Wide, std::move(name)}; }
inline Type errorType() { return handle("cudaError_t"); }

/// A variable of \p type; its use.
Expr variable(Type type, std::string name, bool isConst = false);
/// `cudaStream_t stream = nullptr`, \p after being its end.
FunctionDefinition::Parameter parameter(const Expr &v, const char *after = "");
/// A constant of CUDA or C: `cudaSuccess`, `nullptr`.
Expr known(std::string name, Type type = handle(""));
/// A call of a function of CUDA, of C or of the file.
inline Expr call(program::CalledFunction f, std::vector<Expr> arguments,
                 Type result = errorType()) {
  return Expr::call(std::move(f), std::move(arguments), std::move(result));
}
inline Expr call(std::string name, std::vector<Expr> arguments,
                 Type result = errorType()) {
  return call(program::CalledFunction{program::Callee::Named, std::move(name)},
              std::move(arguments), std::move(result));
}
/// \p name of <algorithm>.
inline program::CalledFunction algorithm(std::string name) {
  return {program::Callee::Named, std::move(name), program::Helper::Algorithm};
}
/// What a variable of \p type is made of.
Expr construct(Type type, std::vector<Expr> arguments);
/// `kernel<<<grid, block, bytes, stream>>>(arguments)`
Expr launch(std::vector<Expr> configuration, std::vector<Expr> arguments);
/// \p elements of \p type in bytes.
Expr bytesOf(const Expr &elements, std::string type);

/// Whether \p error, or what a call gives, is none.
Expr succeeded(const Expr &error);
Expr isNot(const Expr &e, const char *constant);

/// Declares the variable \p v; its use.
Expr define(Block &b, const Expr &v, Expr value = {}, std::string comment = "");
/// Declares an array.
Expr defineArray(Block &b, Type type, std::string name, Expr extent,
                 std::string comment);
/// The block that runs where \p condition holds, alone without braces.
Block &where(Block &b, Expr condition, bool isBraced = true,
             std::string comment = "");
/// `if (error == cudaSuccess && condition) error = call;`
void step(Block &b, const Expr &error, Expr call, Expr condition = {});
/// `const cudaError_t later = call; error = error == cudaSuccess ? later :
/// error;`: what has to be done whatever went wrong.
void finish(Block &b, const Expr &error, const Expr &later, Expr call);
/// `(void)cudaGetLastError();`, so that callers do not find an error that they
/// are told of, or that the naive code makes up for.
void clearLastError(Block &b);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_HOSTSTATEMENTS_H
