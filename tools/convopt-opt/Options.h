//===- Options.h - What the user asked for ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_OPT_OPTIONS_H
#define CONVOPT_TOOLS_CONVOPT_OPT_OPTIONS_H

#include "convopt/Schedule/Options.h"
#include "convopt/Schedule/Step.h"

namespace convopt {

enum class Emission { Nest, Dependences, Schedule, Program, Cuda };

/// The command line, read.
struct Options {
  std::string input = "-", output = "-";
  Emission emission = Emission::Nest;
  /// Steps given as options and in files, in the order of the command line.
  std::vector<Step> steps;
  SharedOptions shared;
  bool locations = true, assertions = false;

  /// Refuses (rule "usage") what does not parse; `-help` and `-version` print
  /// and exit with 0.
  llvm::Error parse(int argc, char **argv);
};

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_OPT_OPTIONS_H
