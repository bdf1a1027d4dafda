//===- OtherFiles.h - What a source shares with other files -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_OTHERFILES_H
#define CONVOPT_LIB_FRONTEND_OTHERFILES_H

#include "Invocation.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace convopt {

/// What SourceNest::headers says.
std::vector<std::string> headersOf(const ParsedFile &file);

/// What SourceNest::types says of \p f.
HeaderTypes headerTypes(const ParsedFile &file, const clang::FunctionDecl *f);

/// What SourceNest::beside says of \p f.
DeclarationsOnly declarationsOnly(const ParsedFile &file,
                                  const clang::FunctionDecl *f);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_OTHERFILES_H
