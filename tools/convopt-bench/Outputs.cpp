//===- Outputs.cpp - Where results go -------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

/// Every file that a run reads.
static std::vector<std::string> inputsOf(const Options &options) {
  std::vector<std::string> files{options.input, options.shapesFile,
                                 options.simulate};
  for (const bench::CandidateRequest &request : options.candidates) {
    files.push_back(request.file);
    if (request.schedule.scheduleFile)
      files.push_back(*request.schedule.scheduleFile);
  }
  llvm::erase_if(files, [](const std::string &f) { return f.empty(); });
  return files;
}

/// A file that is there has to be writable, and else its folder.
static Error checkWritable(const std::string &path) {
  StringRef probed = path;
  if (!sys::fs::exists(path)) {
    probed = sys::path::parent_path(path);
    if (probed.empty())
      probed = ".";
  }
  if (std::error_code e = sys::fs::access(probed, sys::fs::AccessMode::Write))
    return refuse("output", "cannot write '" + path + "': " + e.message(), {},
                  "choose another file with -o; nothing was measured");
  return Error::success();
}

Error checkOutputs(const Options &options) {
  std::set<std::string> seen;
  std::vector<std::string> outputs = options.outputs;
  if (!options.best.empty())
    outputs.push_back(options.best);
  for (const std::string &output : outputs) {
    for (const std::string &input : inputsOf(options))
      RETURN_IF_ERROR(checkOutputPath(output, input));
    RETURN_IF_ERROR(checkWritable(output));
    if (!seen.insert(output).second)
      return refuse("usage", "'" + output + "' is to be written twice");
  }
  return Error::success();
}

Error writeOutputs(const bench::Report &report, ArrayRef<std::string> paths) {
  Error all = Error::success();
  for (const std::string &path : paths)
    all = joinErrors(std::move(all), bench::writeReport(report, path));
  return all;
}

} // namespace convopt
