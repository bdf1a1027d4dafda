//===- Files.h - Whole files or none ----------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SUPPORT_FILES_H
#define CONVOPT_SUPPORT_FILES_H

#include "llvm/Support/Error.h"

namespace convopt {

/// The text of the file \p path, or of standard input for "-". Refuses (\p
/// rule) what cannot be read, with \p remedy.
llvm::Expected<std::string> readText(llvm::StringRef path,
                                     llvm::StringRef rule = "input",
                                     llvm::StringRef remedy = "");

/// Refuses (rule "output") an output \p path that is the file \p input by any
/// name or link, or a directory. "-" is standard output and always fine.
llvm::Error checkOutputPath(llvm::StringRef path, llvm::StringRef input);

/// Writes \p text to \p path, or to standard output for "-". A regular file is
/// written beside its place and renamed, so that a failure (a full disk, say)
/// leaves neither a partial file nor a damaged older one, whose mode the new
/// one keeps. Refuses (rule "output") where it cannot be written.
llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef text);

} // namespace convopt

#endif // CONVOPT_SUPPORT_FILES_H
