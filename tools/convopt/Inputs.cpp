//===- Inputs.cpp - Several sources in one run ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Frontend/BuildSettings.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

std::string folderOf(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  return folder.empty() ? "." : folder.str();
}

static Error refuseFolder(StringRef path, StringRef why) {
  return refuse("output", "the output folder '" + path.str() + "' " + why.str(),
                {},
                "name another folder with -o, or give one source and a file");
}

Error makeFolder(StringRef path) {
  if (std::error_code e = sys::fs::create_directories(path))
    return refuseFolder(path, "cannot be made: " + e.message());
  return Error::success();
}

/// \p path as makefiles spell it.
static std::string makeName(StringRef path) {
  std::string name;
  for (char c : path)
    name += c == '$'               ? "$$"
            : c == ' ' || c == '#' ? std::string("\\") + c
                                   : std::string(1, c);
  return name;
}

std::string dependencyRule(const PlannedFile &file) {
  const Options &o = file.options;
  std::vector<std::string> files{o.input};
  append_range(files, file.source.headers);
  for (const PlannedKernel &k : file.kernels)
    if (const auto &schedule = k.request.scheduleFile)
      files.push_back(*schedule);
  std::string rule = makeName(o.output) + ":";
  for (const std::string &f : files) {
    SmallString<256> path(f); // wherever the rule is read
    sys::fs::make_absolute(path);
    rule += " \\\n  " + makeName(path);
  }
  return rule + "\n";
}

/// What `conv.c` becomes.
static std::string outputName(const Options &o, StringRef input) {
  const std::string stem = sys::path::stem(input).str();
  switch (o.emission) {
  case Emission::Cuda:
    return stem + o.suffix + ".cu";
  case Emission::Header:
    return stem + o.suffix + ".h";
  case Emission::Nest:
    return stem + ".nest";
  case Emission::Dependences:
    return stem + ".dependences";
  case Emission::Schedule:
    return stem + o.suffix + ".sched";
  case Emission::VerifyDriver:
    return stem + o.suffix + "_verify.cu";
  }
  llvm_unreachable("an emission");
}

static Error checkTwice(ArrayRef<std::string> inputs) {
  for (size_t k = 0; k != inputs.size(); ++k)
    for (const std::string &before : inputs.take_front(k)) {
      bool same = before == inputs[k];
      if (same || (!sys::fs::equivalent(before, inputs[k], same) && same))
        return refuse(
            "usage",
            "'" + inputs[k] + "' is given twice" +
                (before == inputs[k] ? "" : ", first as '" + before + "'"),
            {}, "give each source once");
    }
  return Error::success();
}

/// Where the output of each input goes.
static Expected<std::vector<std::string>> outputsOf(const Options &o) {
  if (o.inputs.size() == 1)
    return std::vector<std::string>{o.output};
  if (o.output == "-")
    return refuse("usage",
                  "there is no folder for what becomes of " +
                      std::to_string(o.inputs.size()) + " sources",
                  {}, "name one with -o");
  if (sys::fs::exists(o.output) && !sys::fs::is_directory(o.output))
    return refuseFolder(o.output, "is a file");
  std::vector<std::string> outputs;
  StringMap<std::string> inputOf;
  for (const std::string &input : o.inputs) {
    const std::string name = outputName(o, input);
    const auto [other, isNew] = inputOf.try_emplace(name, input);
    if (!isNew)
      return refuse("usage",
                    "'" + name + "' would be the output of '" + other->second +
                        "' and of '" + input + "'",
                    {}, "tile one of them in a run of its own");
    SmallString<256> path(o.output);
    sys::path::append(path, name);
    outputs.push_back(path.str().str());
  }
  return outputs;
}

/// What comes after `--` says all, unless -p is given, too.
static Expected<BuildFlags> flagsOf(const Options &o, StringRef input) {
  if (o.buildFolder)
    return buildFlags(input, *o.buildFolder);
  return o.clangArguments.empty() ? nearbyBuildFlags(input) : BuildFlags();
}

Expected<std::vector<Options>> optionsOfInputs(const Options &options) {
  RETURN_IF_ERROR(checkTwice(options.inputs));
  ASSIGN_OR_RETURN(std::vector<std::string> outputs, outputsOf(options));
  std::vector<Options> all;
  for (const auto &[input, output] : zip_equal(options.inputs, outputs)) {
    ASSIGN_OR_RETURN(BuildFlags flags, flagsOf(options, input));
    if (!options.quiet && !flags.remark.empty())
      errs() << "convopt: remark: " << flags.remark << '\n';
    all.push_back(options.ofInput(input, output, flags.arguments));
  }
  return all;
}

/// `a::conv_tiled`; nothing where only its file sees it.
static std::string addedFunction(const PlannedFile &file) {
  const SourceNest &s = file.source;
  if (is_contained(s.scope, ""))
    return "";
  std::string name = s.nest.function.name + file.options.suffix;
  return s.scope.empty() || s.isExternC ? name
                                        : join(s.scope, "::") + "::" + name;
}

Error checkApart(ArrayRef<const PlannedFile *> files) {
  StringMap<StringRef> inputOf;
  for (const PlannedFile *file : files) {
    const std::string name = addedFunction(*file);
    if (name.empty() || (file->options.emission != Emission::Cuda))
      continue;
    const auto [other, isNew] = inputOf.try_emplace(name, file->options.input);
    if (!isNew)
      return refuse("names",
                    "'" + name + "' would be added to '" + other->second.str() +
                        "' and to '" + file->options.input + "'",
                    {},
                    "tile one of them in a run of its own, with another "
                    "-suffix=");
  }
  return Error::success();
}

} // namespace convopt
