//===- main.cpp - convopt-bench -------------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `convopt-bench conv.nest -tile=32,2,2 -reg=8,4 -shapes=shapes.csv -set=seed`
///
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Bench/Job.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace convopt;

static int runTool(const Options &options, const std::string &ownPath) {
  if (!options.render.empty()) {
    if (Error e = runRender(options))
      return int(report(std::move(e), errs(), ""));
    return int(ExitStatus::Done);
  }
  Expected<ExitStatus> status = runBench(options, ownPath);
  if (status)
    return int(*status);
  return int(report(status.takeError(), errs(), options.input));
}

int main(int argc, char **argv) {
  Options options;
  if (Error e = options.parse(argc, argv))
    return int(report(std::move(e), errs(), options.input));
  // A crash in a process for one kernel is the kernel's, and not reported as a
  // bug: the process that started it says so in the row.
  if (!options.runJob.empty())
    return int(
        report(bench::runJobFile(options.runJob, options.outcome), errs(), ""));
  InitLLVM init(argc, argv);
  static int anchor;
  const std::string ownPath = sys::fs::getMainExecutable(argv[0], &anchor);
  return convopt::runTool([&] { return runTool(options, ownPath); });
}
