//===- AddedNames.h - Names that the source has already ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_ADDEDNAMES_H
#define CONVOPT_TOOLS_CONVOPT_ADDEDNAMES_H

#include "convopt/Frontend/Frontend.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// Refuses (rule "names") where \p source already declares what \p code, which
/// is to be added to it, declares: names that begin with the function's and
/// \p suffix. Nor may it declare for itself what \p code needs of CUDA.
llvm::Error checkAddedNames(const SourceNest &source, llvm::StringRef code,
                            llvm::StringRef suffix);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_ADDEDNAMES_H
