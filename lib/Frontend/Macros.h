//===- Macros.h - Macros where the added code goes --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_MACROS_H
#define CONVOPT_LIB_FRONTEND_MACROS_H

#include "Invocation.h"

namespace clang {
class SourceLocation;
} // namespace clang

namespace convopt {

/// Macros in force at \p at that the source, its own headers or the command
/// line define, sorted. Without \p ofSource those of the command line.
std::vector<std::string> macrosAt(const ParsedFile &file,
                                  clang::SourceLocation at, bool ofSource);

/// The macros of the command line that are in force at \p at and that the
/// source or its own headers mention, sorted by name.
std::vector<CommandLineMacro> commandLineMacros(const ParsedFile &file,
                                                clang::SourceLocation at);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_MACROS_H
