//===- LocalNames.h - Names of what a nest makes ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The texts of a nest name what is declared around its function: constants,
/// types and functions. Locals come from functions that were inlined, from
/// blocks and from passes, where these names may be hidden, and from which they
/// must be apart where all stand in one scope.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_LOCALNAMES_H
#define CONVOPT_NEST_LOCALNAMES_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/StringSet.h"

namespace convopt {

/// The names of parameters, arguments and arrays of \p nest, and all words of
/// its texts and types.
llvm::StringSet<> usedNames(const Nest &nest);

/// \p wish, or with a number that makes it none of \p used, to which it is
/// added.
std::string freshName(llvm::StringRef wish, llvm::StringSet<> &used);

/// \p nest with names for its locals and buffers that mean nothing else in it
/// and are none of \p reserved.
Nest withFreshLocalNames(const Nest &nest,
                         llvm::ArrayRef<std::string> reserved = {});

} // namespace convopt

#endif // CONVOPT_NEST_LOCALNAMES_H
