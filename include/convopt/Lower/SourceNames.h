//===- SourceNames.h - Names that the source may not use --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LOWER_SOURCENAMES_H
#define CONVOPT_LOWER_SOURCENAMES_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// Refuses (rule "structure") names of C that C++ keeps for itself, and types
/// that a GPU does not have.
llvm::Error checkLanguage(const Nest &nest);

/// Refuses (rule "structure") parameters by the name of something of CUDA or C
/// that every emitted file uses, or by that of the function.
llvm::Error checkHostNames(const Nest &nest);

/// Refuses (rule "structure") parameters by one of the names that a function of
/// the added code \p used for something else.
llvm::Error checkUsedNames(const Nest &nest, const llvm::StringSet<> &used);

/// Whether \p name is one of CUDA's variables and types or begins as names of
/// its runtime do: where the added code uses it, the source must not declare it
/// as something else.
bool isCudaName(llvm::StringRef name);

} // namespace convopt

#endif // CONVOPT_LOWER_SOURCENAMES_H
