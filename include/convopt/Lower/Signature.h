//===- Signature.h - How the host declares functions ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LOWER_SIGNATURE_H
#define CONVOPT_LOWER_SIGNATURE_H

#include "convopt/Lower/Lower.h"

namespace convopt {

/// `const float *@` with the name in its place, or behind what has none.
std::string declare(llvm::StringRef type, llvm::StringRef name);

/// What functions that C and C++ both declare take: their types are those of
/// arguments, as C++ does not see those of C.
std::vector<std::string> hostParameters(const Nest &nest);

/// The function that replaces \p f. Of C with parts of parameters, the one that
/// takes the parts: a wrapper with the naive signature stands in the C.
std::string hostName(const Function &f, bool isC, llvm::StringRef suffix);

/// What the original is called by such a function.
std::string originalName(const Nest &nest, const LowerOptions &options);

} // namespace convopt

#endif // CONVOPT_LOWER_SIGNATURE_H
