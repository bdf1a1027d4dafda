//===- Render.cpp - Results files shown again -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Bench/Report.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace convopt {

using namespace bench;

unsigned outputColumns() {
  const unsigned wide = sys::Process::StandardOutColumns();
  return wide ? wide : 160;
}

static Error renderFolder(const Options &options) {
  if (options.outputs.size() > 1 ||
      (!options.outputs.empty() &&
       sys::path::extension(options.outputs.front()) != ".md"))
    return refuse("usage", "a folder of results makes one .md page", {},
                  "give one -o NAME.md, or none for standard output");
  ASSIGN_OR_RETURN(std::vector<Section> sections, readSections(options.render));
  return writeOutput(options.outputs.empty() ? "-" : options.outputs.front(),
                     renderBenchmarks(sections));
}

Error runRender(const Options &options) {
  if (sys::fs::is_directory(options.render))
    return renderFolder(options);
  ASSIGN_OR_RETURN(std::string text, readText(options.render, "results"));
  ASSIGN_OR_RETURN(Report report, readReport(text, options.render));
  for (const std::string &output : options.outputs) {
    RETURN_IF_ERROR(checkOutputPath(output, options.render));
    RETURN_IF_ERROR(writeReport(report, output));
  }
  printTable(report, outs(), outputColumns());
  return Error::success();
}

} // namespace convopt
