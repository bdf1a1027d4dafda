//===- Refusal.h - What convopt says when it will not ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The user's mistake and our bug are different types. A Refusal is an
/// llvm::Error with a place, a rule, a reason and a remedy; anything else that
/// goes wrong is a bug and exits with status 70.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SUPPORT_REFUSAL_H
#define CONVOPT_SUPPORT_REFUSAL_H

#include "convopt/Support/SourceRange.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// The exit statuses of every tool.
enum class ExitStatus : int {
  Done = 0,
  BadInput = 1, // input or usage
  Illegal = 2,  // a transformation that would change the result
  VerificationFailed = 3,
  Missing = 4, // a toolchain or a GPU that the request needs
  Bug = 70,
};

class Refusal : public llvm::ErrorInfo<Refusal> {
public:
  static char ID;

  ExitStatus status = ExitStatus::BadInput;
  std::string rule;    // "Order", "Mapping", "Storage", "structure", "limit"...
  std::string message; // one sentence, lower case, no full stop
  SourceRange where;   // in the nest's source; invalid where there is none
  std::vector<std::pair<SourceRange, std::string>> notes;
  std::string remedy; // what the user can do instead
  std::string file;   // that `where` is in, if not the tool's input
  std::vector<Refusal> others; // what else stands in the way

  Refusal(ExitStatus status, std::string rule, std::string message,
          SourceRange where = {}, std::string remedy = {})
      : status(status), rule(std::move(rule)), message(std::move(message)),
        where(where), remedy(std::move(remedy)) {}

  /// `file:line:col: error: message [rule]`, then notes and the remedy, each
  /// on a line of its own in Clang's style; then the others.
  void print(llvm::raw_ostream &os, llvm::StringRef file) const;
  void log(llvm::raw_ostream &os) const override { print(os, {}); }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// A request or input that cannot be taken: exit status 1.
llvm::Error refuse(std::string rule, std::string message,
                   SourceRange where = {}, std::string remedy = {});
/// A transformation that would change the result: exit status 2.
llvm::Error refuseIllegal(std::string rule, std::string message,
                          SourceRange where = {}, std::string remedy = {});

/// Prints every error in \p e to \p os and returns the status to exit with:
/// that of the first Refusal, or Bug where it is none.
ExitStatus report(llvm::Error e, llvm::raw_ostream &os, llvm::StringRef file);

/// Runs \p main and gives its exit status, or Bug, with a message, where it
/// crashes: no crash leaves a tool with a status that means something else.
int runTool(llvm::function_ref<int()> main);

} // namespace convopt

/// Returns from the function with the error that the arguments, an llvm::Error,
/// are; goes on where they are success.
#define RETURN_IF_ERROR(...)                                                   \
  do {                                                                         \
    if (llvm::Error error_ = (__VA_ARGS__))                                    \
      return llvm::Error(std::move(error_));                                   \
  } while (false)

/// Initialises \p declaration, as in `Nest nest`, with the value of the other
/// arguments, an llvm::Expected, or returns its error from the function.
#define ASSIGN_OR_RETURN(declaration, ...)                                     \
  ASSIGN_OR_RETURN_AS(ASSIGN_OR_RETURN_NAME(__LINE__), declaration, __VA_ARGS__)
#define ASSIGN_OR_RETURN_AS(name, declaration, ...)                            \
  auto name = (__VA_ARGS__);                                                   \
  if (!name)                                                                   \
    return name.takeError();                                                   \
  declaration = std::move(*name)
#define ASSIGN_OR_RETURN_NAME(line) ASSIGN_OR_RETURN_JOIN(expected, line)
#define ASSIGN_OR_RETURN_JOIN(name, line) name##line

#endif // CONVOPT_SUPPORT_REFUSAL_H
