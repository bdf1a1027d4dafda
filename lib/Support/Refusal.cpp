//===- Refusal.cpp - What convopt says when it will not -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Support/Refusal.h"
#include "convopt/Support/Interrupt.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <csignal>

using namespace llvm;

namespace convopt {

char Refusal::ID = 0;

static void printPlace(raw_ostream &os, StringRef file, SourceRange where) {
  if (where.isKnown())
    os << (file.empty() ? "<input>" : file) << ':' << where.line << ':'
       << where.column << ": ";
  else
    os << "convopt: ";
}

void Refusal::print(raw_ostream &os, StringRef inputFile) const {
  StringRef file = this->file.empty() ? inputFile : StringRef(this->file);
  printPlace(os, file, where);
  os << "error: " << message;
  if (!rule.empty())
    os << " [" << rule << ']';
  os << '\n';
  for (const auto &[range, text] : notes) {
    printPlace(os, file, range.isKnown() ? range : where);
    os << "note: " << text << '\n';
  }
  if (!remedy.empty()) {
    printPlace(os, file, where);
    os << "note: " << remedy << '\n';
  }
  for (const Refusal &other : others)
    other.print(os, file);
}

Error refuse(std::string rule, std::string message, SourceRange where,
             std::string remedy) {
  return make_error<Refusal>(ExitStatus::BadInput, std::move(rule),
                             std::move(message), where, std::move(remedy));
}

Error refuseIllegal(std::string rule, std::string message, SourceRange where,
                    std::string remedy) {
  return make_error<Refusal>(ExitStatus::Illegal, std::move(rule),
                             std::move(message), where, std::move(remedy));
}

ExitStatus report(Error e, raw_ostream &os, StringRef file) {
  ExitStatus status = ExitStatus::Done;
  auto first = [&](ExitStatus s) {
    if (status == ExitStatus::Done)
      status = s;
  };
  handleAllErrors(
      std::move(e),
      [&](const Refusal &r) {
        r.print(os, file);
        first(r.status);
      },
      [&](const ErrorInfoBase &other) {
        os << "convopt: error: internal: " << other.message()
           << "\nconvopt: note: this is a bug in convopt\n";
        first(ExitStatus::Bug);
      });
  return status;
}

int runTool(function_ref<int()> main) {
  int status = int(ExitStatus::Bug);
  // A write past the limit on the size of files is an error like others.
  std::signal(SIGXFSZ, SIG_IGN);
  CrashRecoveryContext::Enable();
  CrashRecoveryContext context;
  // Expressions nest as deeply as the source likes: half a gigabyte of stack,
  // of which only what is used is taken.
  if (!context.RunSafelyOnThread([&] { status = main(); }, 512u << 20)) {
    errs() << "convopt: error: internal: crashed\n"
              "convopt: note: this is a bug in convopt\n";
    return int(ExitStatus::Bug);
  }
  endIfInterrupted();
  return status;
}

} // namespace convopt
