//===- Options.h - What the user asked for ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_OPTIONS_H
#define CONVOPT_TOOLS_CONVOPT_OPTIONS_H

#include "convopt/Schedule/Options.h"
#include "convopt/Verify/Verify.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace convopt {

enum class Emission { Cuda, Nest, Dependences, Schedule, VerifyDriver };

/// What -add-version asks for: a kernel with its own facts and schedule.
struct VersionOptions {
  ScheduleRequest request;
  std::vector<std::string> facts;
};

/// The command line, read. Option values are checked where they are used.
struct Options {
  std::string argv0;
  std::string input;
  std::string output = "-";
  Emission emission = Emission::Cuda;
  std::string function, suffix = "_tiled";
  bool explain = false, quiet = false;
  SharedOptions shared;
  std::vector<std::string> facts; // -assume, one comparison each
  std::vector<VersionOptions> versions;
  std::vector<unsigned> filterWidths; // a version each, with default tiles
  std::optional<Where> verify;
  std::string verifiedFile; // verified in place of the output; else empty
  std::vector<std::string> shapes;
  unsigned verifyTimeout = 0;              // seconds for all shapes
  std::vector<std::string> clangArguments; // after `--`
  std::vector<std::string> shaping; // options that shape the output, verbatim

  /// Refuses (rule "usage") what does not parse; `-help` and `-version` print
  /// and exit with 0.
  llvm::Error parse(int argc, char **argv);
};

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_OPTIONS_H
