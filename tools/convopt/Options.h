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

namespace convopt {

enum class Emission { Cuda, Header, Nest, Dependences, Schedule, VerifyDriver };

/// How the CUDA file is linked: in place of the source, whose text it has, or
/// beside it, without the source's definitions.
enum class Link { Instead, Beside };

/// What -add-version asks for: a kernel with its own facts and schedule.
struct VersionOptions {
  ScheduleRequest request;
  std::vector<std::string> facts;
  int64_t leastBlocks = 0;
};

/// The command line, read. Option values are checked where they are used.
struct Options {
  std::string argv0;
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string input; // the one that a run is about; see ofInput
  Emission emission = Emission::Cuda;
  Link link = Link::Instead;
  std::string function, suffix = "_tiled";
  bool explain = false, quiet = false;
  SharedOptions shared;
  std::vector<std::string> facts; // -assume, one comparison each
  std::vector<VersionOptions> versions;
  std::vector<unsigned> filterWidths; // a version each, with default tiles
  std::optional<Where> verify;
  std::string verifiedFile; // verified in place of the output; else empty
  std::vector<std::string> shapes;
  unsigned verifyTimeout = 900;            // seconds for all shapes
  std::optional<std::string> buildFolder;  // -p
  std::string dependencyFile;              // -MF; else empty
  std::vector<std::string> own;            // the arguments before `--`
  std::vector<std::string> clangArguments; // and those after it
  std::vector<std::string> shaping; // options that shape the output, verbatim

  /// Refuses (rule "usage") what does not parse; `-help` and `-version` print
  /// and exit with 0.
  llvm::Error parse(int argc, char **argv);
  /// The same for a run on \p one of the inputs that writes to \p file, with
  /// \p flags before the compiler's other options.
  Options ofInput(const std::string &one, std::string file,
                  std::vector<std::string> flags) const;
};

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_OPTIONS_H
