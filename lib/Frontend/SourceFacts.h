//===- SourceFacts.h - What is to be known of a source ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The parts of a SourceNest beside its nest: what the rest of the file has to
/// do with the function.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_SOURCEFACTS_H
#define CONVOPT_LIB_FRONTEND_SOURCEFACTS_H

#include "Invocation.h"
#include "ParseErrors.h"
#include "clang/AST/ExprCXX.h"

namespace convopt {

/// The launches of \p kernel in the main file's text that one of a function
/// called \p added, with the same parameters, can replace, in their order;
/// others are reported on stderr. In \p broken bodies, those are where Clang
/// knows what each mention of the name is.
std::vector<LaunchSite> launchSites(clang::ASTContext &ast,
                                    const clang::FunctionDecl *kernel,
                                    llvm::StringRef added,
                                    llvm::ArrayRef<BrokenBody> broken);

/// The calls of \p function that one of \p added can replace, as above.
std::vector<CallSite> callSites(clang::ASTContext &ast,
                                const clang::FunctionDecl *function,
                                llvm::StringRef added,
                                llvm::ArrayRef<BrokenBody> broken);

/// SourceNest::instances of \p f; none where it is no template.
std::vector<std::vector<std::string>>
templateInstances(const clang::FunctionDecl *f);

/// Writes down which types of \p function are signed integers in some of its
/// \p instances.
void nameSignedTypes(llvm::ArrayRef<std::vector<std::string>> instances,
                     Function &function);

/// What is declared in the scope of \p function, and all macros.
std::vector<DeclaredName> declaredNames(const ParsedFile &file,
                                        const clang::FunctionDecl *function);

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

/// What SourceNest::headers says.
std::vector<std::string> headersOf(const ParsedFile &file);

/// What SourceNest::types says of \p f.
HeaderTypes headerTypes(const ParsedFile &file, const clang::FunctionDecl *f);

/// What SourceNest::beside says of \p f.
DeclarationsOnly declarationsOnly(const ParsedFile &file,
                                  const clang::FunctionDecl *f);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_SOURCEFACTS_H
