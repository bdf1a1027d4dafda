//===- Step.cpp - One line of a schedule ----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Step.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Alias.h"
#include "convopt/Transforms/Distribute.h"
#include "convopt/Transforms/Fuse.h"
#include "convopt/Transforms/Gather.h"
#include "convopt/Transforms/IfConvert.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/Jam.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/MinBlocks.h"
#include "convopt/Transforms/RegisterTile.h"
#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Transforms/Skew.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Unroll.h"
#include "convopt/Transforms/Widen.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

ArrayRef<const Pass *> passes() {
  static const Pass *const all[] = {
      &gatherPass,      &scalarReplacePass, &ifConvertPass,  &stripMinePass,
      &interchangePass, &fusePass,          &jamPass,        &skewPass,
      &aliasPass,       &widenPass,         &distributePass, &unrollPass,
      &mapLoopPass,     &registerTilePass,  &stagePass,      &minBlocksPass};
  return all;
}

std::vector<std::string> passNames() {
  std::vector<std::string> names;
  for (const Pass *p : passes())
    names.push_back(p->name.str());
  return names;
}

Expected<Nest> Step::apply(const Nest &nest, PrimitiveDone done) const {
  StepWords given = words;
  ASSIGN_OR_RETURN(PassCall call, pass->bind(given));
  return (call)(nest, done);
}

Expected<Nest> Step::apply(const Nest &nest) const {
  return apply(
      nest, [](StringRef, const Nest &) -> Error { return Error::success(); });
}

std::string str(ArrayRef<Step> steps) {
  std::string text;
  for (const Step &s : steps)
    text += s.str() + "\n";
  return text;
}

Expected<Step> parseStep(StringRef text) {
  auto [name, arguments] = text.trim().split('=');
  auto known = find_if(passes(), [name = name.trim()](const Pass *p) {
    return p->name == name;
  });
  if (known == passes().end())
    return refuse("usage", "there is no pass '" + name.trim().str() + "'", {},
                  "the passes are " + join(passNames(), ", "));
  SmallVector<StringRef> parts;
  arguments.split(parts, ',');
  std::vector<std::string> words;
  for (StringRef part : parts)
    words.push_back(part.trim().str());
  Step step(**known, std::move(words));
  if (is_contained(step.words, ""))
    return step.words.refuseArguments(text.trim());
  RETURN_IF_ERROR((*known)->bind(step.words).takeError());
  return step;
}

Expected<std::vector<Step>> parseSchedule(StringRef text, StringRef file) {
  std::vector<Step> steps;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i != lines.size(); ++i) {
    StringRef line = lines[i].split('#').first.trim();
    if (line.empty())
      continue;
    Expected<Step> step = parseStep(line);
    if (!step)
      return handleErrors(step.takeError(),
                          [&](std::unique_ptr<Refusal> r) -> Error {
                            r->file = file.str();
                            r->where.line = i + 1;
                            r->where.column = 1;
                            return Error(std::move(r));
                          });
    step->file = file.str();
    step->line = i + 1;
    steps.push_back(std::move(*step));
  }
  return steps;
}

} // namespace convopt
