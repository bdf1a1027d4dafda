//===- Options.cpp - Options that every tool has --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Options.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

Error SharedOptions::check() const {
  for (const std::string &pass : printAfter)
    if (!is_contained(passNames(), pass))
      return refuse("usage", "-print-after=" + pass + " names no pass", {},
                    "the passes are " + join(passNames(), ", "));
  return remarks.check();
}

PrintHook SharedOptions::hook(raw_ostream &os) const {
  if (printAfterAll)
    return convopt::printAfter(os, {});
  return printAfter.empty() ? PrintHook() : convopt::printAfter(os, printAfter);
}

cl::ValuesClass boundaryValues() {
  return cl::values(
      clEnumValN(Boundary::Guards, "guards", "Guards in all tiles"),
      clEnumValN(Boundary::FullTiles, "full-tiles",
                 "Tiles inside of the image run without guards"),
      clEnumValN(Boundary::Fill, "fill",
                 "Sums read zeros outside of the image; needs "
                 "-ffinite-math-only -fno-signed-zeros"),
      clEnumValN(Boundary::Recompute, "recompute",
                 "Sums read zeros outside of the image; those that could "
                 "differ are computed again (default)"));
}

cl::ValuesClass algorithmValues() {
  return cl::values(
      clEnumValN(Algorithm::Direct, "direct", "By tiles of its loops"),
      clEnumValN(Algorithm::Product, "product",
                 "As an implicit GEMM: a product of matrices that are never "
                 "stored"),
      clEnumValN(Algorithm::Im2col, "im2col",
                 "As an explicit GEMM: a kernel stores the image as a matrix "
                 "first"),
      clEnumValN(Algorithm::Auto, "auto",
                 "By the one that is estimated to take less time, if sizes are "
                 "known (default)"));
}

void addLegality(CommandLine &line, LegalityOptions &options) {
  line.add("fassociative-math", options.associativeMath,
           "Sums may be reordered");
  line.add("ffinite-math-only", options.finiteMath,
           "No element is infinite or NaN");
  line.add("fno-signed-zeros", options.noSignedZeros,
           "Zeros may have either sign");
  line.declare<cl::opt<bool>>(
      "ffast-math",
      "-fassociative-math, -ffinite-math-only and -fno-signed-zeros", "",
      cl::callback([&](const bool &isFast) {
        options.associativeMath |= isFast;
        options.finiteMath |= isFast;
        options.noSignedZeros |= isFast;
      }));
  line.add("isl-max-operations", options.maxOperations,
           "What isl may spend on one question about dependences; 0: no limit "
           "(default: 2000000)",
           "operations");
}

void addArch(CommandLine &line, std::string &arch) {
  line.add("arch", arch, "The device whose limits hold", "sm_90");
}

void addTiles(CommandLine &line, ScheduleRequest &request) {
  line.add("tile", request.tile,
           "Threads of a block: x,y,z or loop:threads,...", "32,2,2");
  line.add("reg", request.registers,
           "Outputs of a thread: y,z or loop:outputs,...", "8,4");
}

void SharedOptions::addTo(CommandLine &line) {
  addArch(line, arch);
  addTiles(line, request);
  addLegality(line, legality);
  line.add("staging", request.staging,
           "Keep what the sum reads in shared memory and registers: none, "
           "shared or pipelined, with :iterations",
           "pipelined:4");
  line.add("boundary", request.boundary,
           "How sums handle the border of a padded image", boundaryValues());
  line.add("algorithm", request.algorithm, "How a sum is computed",
           algorithmValues());
  line.add("print-after-all", printAfterAll, "Print the nest after each step");
  line.add("print-after", printAfter, "Print the nest after this pass", "pass",
           cl::CommaSeparated);
  line.add("Rpass", remarks.passed, "Report what passes did", "regex");
  line.add("Rpass-missed", remarks.missed, "Report what passes did not do",
           "regex");
  line.add("Rpass-analysis", remarks.analysis, "Report what was found",
           "regex");
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

CommandLine::CommandLine(const char *tool, const char *overview,
                         const char *examples)
    : tool(tool), overview(overview), title([&] {
        cl::ResetCommandLineParser();
        return std::string(tool) + " options";
      }()),
      category(title), examples(examples) {}

/// Of "tool: Unknown argument '-x'.  Try: ..." what stands between.
static std::string firstSentence(StringRef problem, StringRef tool) {
  problem.consume_front((tool + ": ").str());
  if (problem.empty()) // a value; it has been printed already
    return "an option does not take the value that it was given";
  return problem.split(".  Try:").first.split('\n').first.trim().str();
}

/// The option of the tool's own whose name \p given begins; empty where there
/// is none, or are several.
static StringRef completed(StringRef given) {
  StringRef found;
  for (const auto &entry : cl::getRegisteredOptions()) {
    const bool isOwn = none_of(entry.second->Categories, [](const auto *c) {
      return c == &cl::getGeneralCategory();
    });
    if (!isOwn || !entry.first.starts_with(given))
      continue;
    if (!found.empty())
      return "";
    found = entry.first;
  }
  return found;
}

/// `did you mean '-emit=nest'?`, where \p problem proposes an option that is
/// like the one that was given, or that one begins another; else empty.
static std::string nearMiss(StringRef problem) {
  auto optionAfter = [&](StringRef words) {
    return problem.split(words).second.split('\'').first.ltrim('-');
  };
  const auto [given, value] = optionAfter("argument '").split('=');
  if (const StringRef whole = completed(given); !whole.empty())
    return ("did you mean '-" + whole + (value.empty() ? "" : "=") + value +
            "'?")
        .str();
  const StringRef proposed = optionAfter("Did you mean '");
  if (proposed.empty() ||
      given.edit_distance(proposed.split('=').first) > (given.size() + 2) / 3)
    return "";
  return ("did you mean '-" + proposed + "'?").str();
}

/// Refuses the first of \p arguments that has none of its option's values.
Error CommandLine::checkChoices(ArrayRef<const char *> arguments) const {
  for (StringRef argument : arguments) {
    const auto [name, value] = argument.ltrim('-').split('=');
    auto known = choices.find(name);
    if (argument.starts_with("-") && argument.contains('=') &&
        known != choices.end() && !is_contained(known->second, value))
      return refuse(
          "usage",
          "option '-" + name.str() + "' does not take '" + value.str() + "'",
          {}, "-" + name.str() + " takes " + join(known->second, ", "));
  }
  return Error::success();
}

Error CommandLine::parse(ArrayRef<const char *> arguments) {
  cl::HideUnrelatedOptions(category);
  // LLVM prints such values in words of its own.
  RETURN_IF_ERROR(checkChoices(arguments));
  std::string problem;
  raw_string_ostream os(problem);
  if (cl::ParseCommandLineOptions(arguments.size(), arguments.data(), overview,
                                  &os))
    return Error::success();
  const std::string remedy = nearMiss(problem);
  return refuse("usage", firstSentence(problem, tool), {},
                remedy.empty() ? (Twine("see ") + tool + " -help").str()
                               : remedy);
}

} // namespace convopt
