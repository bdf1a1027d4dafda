//===- EmitFile.cpp - The text that is written ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitFile.h"
#include "AddedNames.h"
#include "Redirect.h"
#include "Summary.h"
#include "convopt/Dependence/Footprints.h"
#include "convopt/Support/Version.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

static Expected<AddedText> emitCode(const PlannedFile &file) {
  const Options &options = file.options;
  std::vector<KernelVersion> special;
  for (const PlannedKernel &k : file.versions()) {
    Expected<CheckedNest> nest = k.pipeline->checked();
    if (!nest)
      return nest.takeError();
    special.push_back({k.name, std::move(*nest), k.facts, k.fullTiles()});
  }
  Expected<CheckedNest> nest = file.general().pipeline->checked();
  if (!nest)
    return nest.takeError();
  EmitOptions emit = file.emitOptions();
  if (!file.source.nest.function.isKernel) // has no host function
    emit.boxes = boxesOf(nest->source(), file.loose,
                         options.shared.legality.maxOperations);
  return emitCuda(*nest, file.gpu, emit, special);
}

static std::vector<std::string> printSteps(const PlannedKernel &k) {
  std::vector<std::string> lines;
  for (const Step &step : k.pipeline->steps())
    lines.push_back(step.str());
  return lines;
}

std::string printSchedules(const PlannedFile &file) {
  std::string text;
  for (const PlannedKernel &k : file.versions()) {
    std::string facts = printFacts(k);
    text += "# " + file.kernelName(k) +
            (facts.empty() ? "" : ", where " + facts) + ":\n";
    for (const std::string &step : printSteps(k))
      text += "#   " + step + "\n";
  }
  if (!file.versions().empty())
    text += "# other sizes:\n";
  return text + str(file.general().pipeline->steps());
}

Expected<std::string> emitFile(const PlannedFile &file) {
  const Options &options = file.options;
  const SourceNest &source = file.source;
  Expected<AddedText> code = emitCode(file);
  if (!code)
    return code.takeError();
  if (Error e = checkAddedNames(source, code->text, options.suffix))
    return std::move(e);
  Provenance provenance;
  provenance.version = version();
  provenance.source = sys::path::filename(options.input).str();
  provenance.command = options.shaping;
  provenance.schedule = printSteps(file.general());
  for (const PlannedKernel &k : file.versions())
    provenance.versions.push_back(
        {file.kernelName(k), printFacts(k), printSteps(k)});
  for (const CommandLineMacro &m : source.commandLineMacros)
    provenance.macros.push_back({m.name, m.value});
  AddedCode added;
  added.includes = code->includes;
  added.text = formatCode(code->text);
  added.at = source.functionEnd;
  added.isC = source.isC;
  added.isInExternC = source.isInExternC;
  if (source.isLocal)
    added.ofC = formatCode(exportOriginal(source.nest, file.emitOptions()));
  std::vector<Replacement> edits = redirectCalls(file);
  if (source.isC && !edits.empty() && !source.nest.function.hasParts())
    added.ofC += prototype(file);
  return assembleFile(provenance, source.text, edits, added);
}

} // namespace convopt
