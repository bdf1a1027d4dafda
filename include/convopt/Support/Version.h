//===- Version.h - What `-version` prints -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SUPPORT_VERSION_H
#define CONVOPT_SUPPORT_VERSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace convopt {

/// "0.1.0"
std::string version();

/// convopt's version, with the commit \p revision if it is known, LLVM's, and
/// those of \p libraries ("isl 0.25"), one a line.
void printVersion(llvm::raw_ostream &os, llvm::StringRef revision,
                  llvm::ArrayRef<std::string> libraries);

} // namespace convopt

#endif // CONVOPT_SUPPORT_VERSION_H
