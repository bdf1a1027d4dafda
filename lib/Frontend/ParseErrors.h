//===- ParseErrors.h - Errors within bodies of functions --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Files have functions that Clang does not understand, as they call what no
/// stub declares. An error within the body of a function says nothing of the
/// others: those that do not use it are taken as if it were declared only.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_PARSEERRORS_H
#define CONVOPT_LIB_FRONTEND_PARSEERRORS_H

#include "convopt/Support/Replacement.h"
#include "convopt/Support/SourceRange.h"
#include "clang/Basic/Diagnostic.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace convopt {

/// The body of a function that has errors.
struct BrokenBody {
  size_t begin, end;   // bytes of the text, with the braces
  std::string name;    // of the function, with its scopes
  std::string message; // Clang's first error
  SourceRange where;   // and its place in the text
};

/// Takes Clang's diagnostics, and keeps the errors.
class ErrorCollector : public clang::DiagnosticConsumer {
public:
  ErrorCollector();
  ~ErrorCollector() override;

  void BeginSourceFile(const clang::LangOptions &options,
                       const clang::Preprocessor *pp) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &d) override;

  /// The first error in Clang's words; empty where there is none.
  llvm::StringRef first() const;
  /// What Clang would print: all of it, or warnings alone.
  const std::string &all() const;
  const std::string &warnings() const;

  /// The bodies that have the errors, in the order of the text; nothing where
  /// an error is elsewhere, or may be a part of what follows a body.
  std::optional<std::vector<BrokenBody>> bodies(clang::ASTContext &ast) const;

private:
  struct Output; // a printer and its text
  struct Found {
    std::string message;
    std::optional<size_t> at; // in the main file
    SourceRange where;
  };
  std::unique_ptr<Output> everything, lesser;
  std::vector<Found> errors;
  bool isInError = false; // so that notes are ones of it
};

/// The body of \p broken that \p f is, or that it uses something of; null where
/// it does not.
const BrokenBody *brokenIn(const clang::FunctionDecl *f,
                           const std::vector<BrokenBody> &broken);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_PARSEERRORS_H
