//===- Options.h - Options that every tool has ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a tool's user can say about device, schedule, legality and remarks.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_OPTIONS_H
#define CONVOPT_SCHEDULE_OPTIONS_H

#include "convopt/Legality/Legality.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Request.h"
#include "llvm/Support/CommandLine.h"

namespace convopt {

/// The values of the shared options, but for the schedule's file.
struct SharedOptions {
  std::string arch = "sm_90";
  ScheduleRequest request; // -tile, -reg, -staging and -boundary
  LegalityOptions legality;
  bool printAfterAll = false;
  std::vector<std::string> printAfter;
  RemarkFilter remarks;

  /// Refuses (rule "usage") an unknown pass and a malformed remark filter.
  llvm::Error check() const;
  /// What -print-after and -print-after-all ask for, on \p os.
  PrintHook hook(llvm::raw_ostream &os) const;
};

/// What -boundary= and -algorithm= may be, for each place where they may stand.
llvm::cl::ValuesClass boundaryValues();
llvm::cl::ValuesClass algorithmValues();

/// What schedules may change of results, and what proofs may take, as a command
/// line declares it. An object and not static: a tool makes it after it has
/// cleared what libraries register.
struct LegalityCommandLine {
  explicit LegalityCommandLine(llvm::cl::OptionCategory &category);
  LegalityOptions legality() const;

  llvm::cl::opt<bool> associativeMath, finiteMath, noSignedZeros, fastMath;
  llvm::cl::opt<unsigned long> maxOperations;
};

/// The shared options as a command line declares them.
struct SharedCommandLine : LegalityCommandLine {
  explicit SharedCommandLine(llvm::cl::OptionCategory &category);

  /// What was given, once the command line is parsed.
  SharedOptions values() const;

  llvm::cl::opt<std::string> output, arch, tile, registers, staging;
  llvm::cl::list<std::string> schedule;
  llvm::cl::opt<Boundary> boundary;
  llvm::cl::opt<Algorithm> algorithm;
  llvm::cl::opt<bool> printAfterAll;
  llvm::cl::list<std::string> printAfter;
  llvm::cl::opt<std::string> passed, missed, analysis;
};

/// An option that takes one of a few values.
struct Choices {
  llvm::StringRef option;
  std::vector<llvm::StringRef> values;
};
template <class T> Choices choicesOf(llvm::cl::opt<T> &option) {
  Choices choices{option.ArgStr, {}};
  for (unsigned k = 0; k != option.getParser().getNumOptions(); ++k)
    choices.values.push_back(option.getParser().getOption(k));
  return choices;
}

/// Parses \p arguments, the tool's name first, into the options that exist.
/// Refuses (rule "usage") what does not parse, with what \p choices has for it;
/// `-help` and `-version` print and exit with 0.
llvm::Error parseCommandLine(llvm::ArrayRef<const char *> arguments,
                             llvm::StringRef tool, llvm::StringRef overview,
                             llvm::ArrayRef<Choices> choices = {});

} // namespace convopt

#endif // CONVOPT_SCHEDULE_OPTIONS_H
