//===- Options.h - What the user asked for ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_OPTIONS_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_OPTIONS_H

#include "convopt/Bench/Plan.h"

namespace convopt {

struct Options {
  std::string command; // as typed
  std::string input;
  std::string render; // a results file or a folder of them, instead of input
  std::vector<std::string> clangArguments; // after `--`
  std::string function;
  std::vector<std::string> outputs; // by extension

  std::vector<bench::CandidateRequest> candidates;
  bool knownSizes = false; // candidates are made for each shape
  std::string best; // where the steps of the fastest one go
  std::string arch = "sm_90", suffix = "_tiled";
  std::string device; // whose nominal figures bound what is not timed
  LegalityOptions legality;
  bench::Compiler compiler = bench::Compiler::Nvrtc;

  std::string shapesFile;
  std::vector<std::string> selected; // names and sets
  std::vector<std::string> shapes;   // -shape=

  bool isStatic = false, timeDemanded = false;
  bool cold = true, warm = true;
  double seconds = 3;     // of sampling
  unsigned timeout = 300; // of a process
  double within = 0;      // seconds after which nothing is started; 0: none
  bool naive = true, useCudnn = true;
  std::string cudnn;
  std::string simulate;
  std::string runJob, outcome; // of a process for one job

  llvm::Error parse(int argc, char **argv);
  /// How many tiles -search asks for.
  unsigned searched() const;
};

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_OPTIONS_H
