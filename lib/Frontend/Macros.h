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
class SourceRange;
} // namespace clang

namespace convopt {

/// Macros in force at \p at that the source, its own headers or the command
/// line define, sorted. Without \p ofSource those of the command line.
std::vector<std::string> macrosAt(const ParsedFile &file,
                                  clang::SourceLocation at, bool ofSource);

/// The macros that are in force at the end of \p function and that the command
/// line defines and the source or its own headers mention, or that directives
/// of the source test and it defines as a number itself; and those that
/// directives in \p function test and nothing defines. Sorted by name.
std::vector<CommandLineMacro> commandLineMacros(const ParsedFile &file,
                                                clang::SourceRange function);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_MACROS_H
